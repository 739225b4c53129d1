import { arrayOf, isObject, type JsonObject, objectOf } from "../openai/fields.ts";
import type { ChatLesson } from "./lesson.ts";
import { isEssential } from "./member-kinds.ts";
import type { MemberRule } from "./quirks.ts";

/** An upstream's error about a chat request. */
export interface Refusal {
  readonly status: number | null;
  readonly message: string | null;
  /** The member that the error names in a field of its own. */
  readonly param: string | null;
}

/** Words of a vendor that does not take something. */
export const REJECTS =
  /unsupported|not (?:currently )?supported|does(?:n't| not) support|un(?:recognized|expected|known)|extra (?:inputs|fields)|not (?:permitted|allowed|available)|no longer (?:supported|accepted)|additional propert|cannot find field|cannot both be|please remove|must not be/i;

const MISSING = /missing|required|must be (?:passed|provided|included|present)/i;

/** Members that no request can do without, the router's own, and those with rules of their own. */
const KEPT = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
]);

/** Ornaments of a message; without its other members it would not be the message. */
const ORNAMENTS = [
  "reasoning_content",
  "reasoning_details",
  "reasoning",
  "cache_control",
  "prompt_cache_breakpoint",
  "provider_specific_fields",
  "extra_content",
  "annotations",
  "refusal",
  "audio",
  "parsed",
  "prefix",
  "partial",
  "name",
];

/**
 * What a 400 or 422 teaches of the model that gave it, so that the next call to it does otherwise; null
 * if it is about something else, or about what cannot be left out. `sent` is the body it answers.
 */
export function lessonOf({ status, message, param }: Refusal, sent: JsonObject): ChatLesson | null {
  if (message === null || (status !== 400 && status !== 422)) return null;
  const told = { text: message, param: param ?? "", sent };
  return (
    reasoningLesson(told) ??
    roleLesson(told) ??
    callIdLesson(told) ??
    ornamentLesson(told) ??
    capLesson(told) ??
    effortLesson(told) ??
    memberLesson(told)
  );
}

interface Told {
  readonly text: string;
  readonly param: string;
  readonly sent: JsonObject;
}

/** Thinking models of some vendors want what was thought back with every turn. */
function reasoningLesson({ text, sent }: Told): ChatLesson | null {
  if (!text.includes("reasoning_content") || !MISSING.test(text)) return null;
  const isLacking = messagesOf(sent).some(
    ({ role, reasoning_content: said }) => role === "assistant" && typeof said !== "string",
  );
  return isLacking ? { fills_reasoning: true } : null;
}

function roleLesson({ text, sent }: Told): ChatLesson | null {
  const hasRole = messagesOf(sent).some(({ role }) => role === "developer");
  return hasRole && /\bdeveloper\b/.test(text) ? { system_role: true } : null;
}

/** Mistral's rule, also of servers that use its tokenizer. */
function callIdLesson({ text, sent }: Told): ChatLesson | null {
  if (!/tool.?call.?id.*length (?:of )?9/is.test(text)) return null;
  const messages = messagesOf(sent);
  const calls = messages.flatMap(({ tool_calls: list }) => arrayOf(list).map(objectOf));
  const ids = [...messages.map((message) => message["tool_call_id"]), ...calls.map(({ id }) => id)];
  const isWrong = ids.some((id) => typeof id === "string" && !/^[a-zA-Z0-9]{9}$/.test(id));
  return isWrong ? { call_ids: "nine" } : null;
}

function ornamentLesson(told: Told): ChatLesson | null {
  const { text, param, sent } = told;
  if (!REJECTS.test(text) || !/messages?\b/.test(`${param} ${text}`)) return null;
  const named = ORNAMENTS.filter((name) => isOrnamentNamed(`${param} ${text}`, name));
  const drops = named.filter((name) =>
    messagesOf(sent).some((message) => hasMember(message, name)),
  );
  return drops.length > 0 ? { drops: new Set(drops) } : null;
}

/** In quotes or at the end of a path: Google's word for a member is `name`. */
function isOrnamentNamed(text: string, name: string): boolean {
  if (!wordsOf(text).has(name)) return false;
  return name.includes("_") || new RegExp(`['"\`.]${name}\\b`).test(text);
}

function hasMember(message: JsonObject, name: string): boolean {
  if (Object.hasOwn(message, name)) return true;
  const below = [...arrayOf(message["content"]), ...arrayOf(message["tool_calls"])];
  return name !== "name" && below.some((entry) => isObject(entry) && Object.hasOwn(entry, name));
}

const NO_SUCH_MEMBER =
  /(?:unsupported|un(?:recognized|known|expected)) (?:parameter|request argument|keyword|argument|field|name|property)|extra (?:inputs|fields)/i;

/** The other name of the cap of an answer; a model that refuses one takes the other. */
const OTHER_CAP: Readonly<Record<string, string>> = {
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
};

function capLesson({ text, param, sent }: Told): ChatLesson | null {
  const caps = [...wordsOf(`${param} ${text}`)].filter((word) => Object.hasOwn(OTHER_CAP, word));
  // Of two that it names, the one to use comes last.
  const [named] = caps;
  if (named === undefined || !Object.hasOwn(sent, named) || !REJECTS.test(text)) return null;
  // A cap that is too high is refused in much the same words; the other name would not help it.
  if (caps.length === 1 && !NO_SUCH_MEMBER.test(text)) return null;
  return { members: new Map([[named, { kind: "renamed", to: OTHER_CAP[named] ?? named }]]) };
}

function effortLesson({ text, param, sent }: Told): ChatLesson | null {
  const { reasoning_effort: effort } = sent;
  if (typeof effort !== "string") return null;
  if (!wordsOf(`${param} ${text}`).has("reasoning_effort")) return null;
  if (!(REJECTS.test(text) || /must be one of|should be/i.test(text))) return null;
  const efforts = valuesIn(text);
  return efforts.includes(effort) ? null : { efforts };
}

/** The values that a text says are taken. */
export function valuesIn(text: string): string[] {
  const [, list = ""] =
    /(?:supported values are|must be one of|should be|expected(?: one of)?)[:\s]*(.*)/is.exec(
      text,
    ) ?? [];
  return [...list.matchAll(/['"`](\w+)['"`]/g)].map(([, word = ""]) => word);
}

const FORCED: MemberRule = { kind: "only", value: "auto" };
const REFUSED: MemberRule = { kind: "refused" };

function memberLesson({ text, param, sent }: Told): ChatLesson | null {
  if (!REJECTS.test(text)) return null;
  const own = Object.keys(sent).filter(isDispensable);
  const told = own.filter((name) => name === param);
  const named = told.length > 0 ? told : own.filter((name) => isNamed(text, name));
  // A text that names many members is a list of what is taken, or a repeated prompt.
  if (named.length === 0 || named.length > MOST_AT_ONCE) return null;
  const rules = named.map((name) => [name, name === "tool_choice" ? FORCED : REFUSED] as const);
  const news = rules.filter(([name, rule]) => rule !== FORCED || sent[name] !== "auto");
  return news.length > 0 ? { members: new Map(news) } : null;
}

/** Members that one error may be about. */
export const MOST_AT_ONCE = 4;

/** Named as a member is, not as an everyday word such as `user` or `stop`; by its path if it has one. */
export function isNamed(text: string, name: string): boolean {
  if (name.includes(".")) return new RegExp(`['"\`]${RegExp.escape(name)}['"\`]`).test(text);
  if (!wordsOf(text).has(name)) return false;
  if (name.includes("_")) return true;
  const lead = "(?:parameter|argument|supplied|field|property|body|keyword)s?[:.\\s]+";
  return new RegExp(`['"\`]${name}['"\`]|${lead}${name}\\b|^${name}:`, "i").test(text);
}

function isDispensable(name: string): boolean {
  return !KEPT.has(name) && !isEssential(name);
}

function messagesOf(sent: JsonObject): JsonObject[] {
  return arrayOf(sent["messages"]).map(objectOf);
}

/** Whole words, so that `temperature` is not found in a longer name. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\w+/g));
}
