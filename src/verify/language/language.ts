import { nearestNames } from "../../lib/nearest.ts";

/** A writing as Unicode names it. */
export type Script =
  | "Latin"
  | "Cyrillic"
  | "Greek"
  | "Arabic"
  | "Hebrew"
  | "Devanagari"
  | "Han"
  | "Kana"
  | "Hangul"
  | "Thai"
  | "Lao"
  | "Georgian"
  | "Armenian"
  | "Ethiopic"
  | "Bengali"
  | "Gujarati"
  | "Gurmukhi"
  | "Tamil"
  | "Telugu"
  | "Kannada"
  | "Malayalam"
  | "Oriya";

/** A language that an answer can be held against. */
export interface Language {
  /** Such as `pt`, `zh-Hant`. */
  readonly code: string;
  /** How the detector calls it; null if its writing alone tells. */
  readonly detector: string | null;
  readonly scripts: readonly Script[];
}

const LATIN =
  "az ca cs da de en es et eu fi fr hr hu is it lt lv ms nl no pl pt ro sk sl sq sv tl tr vi yo";
const CYRILLIC = "be bg ru uk";
const ARABIC = "ar fa ur";
const DEVANAGARI = "hi mr";
/** Languages that no other common one shares its writing with. */
const OWN_SCRIPT: Readonly<Record<string, readonly Script[]>> = {
  am: ["Ethiopic"],
  bn: ["Bengali"],
  el: ["Greek"],
  gu: ["Gujarati"],
  he: ["Hebrew"],
  hy: ["Armenian"],
  ja: ["Kana", "Han"],
  ka: ["Georgian"],
  kn: ["Kannada"],
  ko: ["Hangul"],
  lo: ["Lao"],
  ml: ["Malayalam"],
  or: ["Oriya"],
  pa: ["Gurmukhi"],
  ta: ["Tamil"],
  te: ["Telugu"],
  th: ["Thai"],
  zh: ["Han"],
  "zh-Hans": ["Han"],
  "zh-Hant": ["Han"],
};

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [
    ...told(LATIN, ["Latin"]),
    ...told(CYRILLIC, ["Cyrillic"]),
    ...told(ARABIC, ["Arabic"]),
    ...told(DEVANAGARI, ["Devanagari"]),
    // The detector's Kurdish is Sorani, while `ku` mostly means Kurmanji, which it does not know.
    { code: "ckb", detector: "ku", scripts: ["Arabic"] } as const,
    { code: "id", detector: "ms", scripts: ["Latin"] } as const,
    { code: "sr", detector: "sr", scripts: ["Cyrillic", "Latin"] } as const,
    { code: "bs", detector: "hr", scripts: ["Latin"] } as const,
    ...Object.entries(OWN_SCRIPT).map(([code, scripts]) => ({ code, detector: null, scripts })),
  ].map((language) => [language.code.toLowerCase(), language]),
);

function told(codes: string, scripts: readonly Script[]): Language[] {
  return codes.split(" ").map((code) => ({ code, detector: code, scripts }));
}

/** By tag, as `LANGUAGES` has them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["fil", "tl"],
  ["iw", "he"],
  ["in", "id"],
  ["zh-cn", "zh-hans"],
  ["zh-sg", "zh-hans"],
  ["zh-tw", "zh-hant"],
  ["zh-hk", "zh-hant"],
]);

/** The language of a tag such as `pt-BR`, `zh_TW` or `nb`, its region left out; undefined if not known. */
export function findLanguage(tag: string): Language | undefined {
  const written = tag.trim().toLowerCase().replaceAll("_", "-");
  for (let name = written; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("-")))) {
    const found = LANGUAGES.get(ALIASES.get(name) ?? name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Codes of known languages that resemble a tag which names none. */
export function nearestLanguages(tag: string): readonly string[] {
  return nearestNames(tag, languageCodes());
}

export function languageCodes(): readonly string[] {
  return [...LANGUAGES.values()].map(({ code }) => code).toSorted();
}

/** Languages that the detector cannot tell apart well enough to blame anybody. */
const GROUPS: readonly (readonly string[])[] = [
  ["da", "no"],
  ["hr", "sr"],
];

/** The name that a detector's language shares with those too close to it. */
export function groupOf(detected: string): string {
  return GROUPS.find((group) => group.includes(detected))?.[0] ?? detected;
}
