import { findLanguage } from "../../verify/language/language.ts";
import { ASIAN_PROMPTS } from "./locales-asian.ts";
import { EUROPEAN_PROMPTS } from "./locales-european.ts";

/** Wordings of a question: `{}` in a frame is where the topic goes. */
export interface LocalePrompts {
  readonly frames: readonly string[];
  readonly topics: readonly string[];
}

const PROMPTS: Readonly<Record<string, LocalePrompts>> = { ...EUROPEAN_PROMPTS, ...ASIAN_PROMPTS };

/** Locales that answers can be asked for in, in the order of rotation. */
export const PROMPT_LOCALES: readonly string[] = Object.keys(PROMPTS);

/** By a language's code, as `promptLocale` gives it. */
export function promptsOf(locale: string): LocalePrompts | undefined {
  return Object.hasOwn(PROMPTS, locale) ? PROMPTS[locale] : undefined;
}

/** The locale with prompts that a tag such as `pt-BR` means; undefined if there is none. */
export function promptLocale(tag: string): string | undefined {
  const code = findLanguage(tag)?.code;
  const standard = code === "zh" ? "zh-Hans" : code;
  return PROMPT_LOCALES.find((locale) => locale === standard);
}
