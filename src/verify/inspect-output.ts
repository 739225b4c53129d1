import { arrayOf, isObject, type JsonObject, objectOf } from "../protocol/openai/fields.ts";
import { type AnswerFacts, type CalledFunction, PLAIN_ANSWER } from "./answer-facts.ts";
import { profileOfText } from "./prompt/prompt-profile.ts";
import { askedFormat, BARE_REQUEST, type RequestFacts, toolName } from "./prompt/request-facts.ts";
import { createScanner } from "./scanner.ts";
import type { TripScope, VerdictName } from "./verdict.ts";

/** One answer line of `veriroute inspect output`; `detail` is left out where there is none. */
export interface InspectedOutput {
  readonly id: unknown;
  readonly verdict: VerdictName;
  readonly signature: string | null;
  readonly attributable: boolean;
  readonly trips: boolean;
  readonly scope: TripScope | null;
  readonly detail?: string;
}

export interface UnreadableOutput {
  readonly id: unknown;
  readonly error: string;
}

/** Judges `{id, prompt?, prompt_charset?, completion? | completion_b64?, finish_reason?, …}`. */
export function verifyOutput(line: JsonObject): InspectedOutput | UnreadableOutput {
  const id = line["id"] ?? null;
  const problem = problemOf(line);
  if (problem !== null) return { id, error: problem };
  const bytes = bytesOf(line);
  if (typeof bytes === "string") return { id, error: bytes };
  const { prompt, prompt_charset: charset } = line;
  const scanner = createScanner({
    prompt: profileOfText(
      typeof prompt === "string" ? prompt : "",
      charset === "ascii" || charset === "non_ascii" ? charset : undefined,
    ),
    request: requestOf(line),
  });
  const { text, is_utf8 } = bytes === null ? textOf(line["completion"]) : decode(bytes);
  scanner.push(text);
  const judged = scanner.end({ ...answerOf(line), is_utf8 }).verdict;
  const { verdict, signature, attributable, trips, scope, detail } = judged;
  const narrowed = detail === null ? {} : { detail };
  return { id, verdict, signature, attributable, trips, scope, ...narrowed };
}

const OPTIONAL: Readonly<Record<string, "string" | "boolean" | "number" | "object">> = {
  prompt: "string",
  completion: "string",
  completion_b64: "string",
  finish_reason: "string",
  has_tool_calls: "boolean",
  max_tokens: "number",
  extra: "object",
};

function problemOf(line: JsonObject): string | null {
  for (const [key, type] of Object.entries(OPTIONAL)) {
    const value = line[key];
    if (value === undefined || value === null) continue;
    if (type === "object" ? !isObject(value) : typeof value !== type) {
      return `\`${key}\` must be ${type === "object" ? "an object" : `a ${type}`} or null`;
    }
  }
  const charset = line["prompt_charset"] ?? "ascii";
  if (charset === "ascii" || charset === "non_ascii") return null;
  return "`prompt_charset` must be `ascii` or `non_ascii`";
}

/** The bytes of `completion_b64`, null if there is none, or what is wrong with it. */
function bytesOf({ completion_b64: encoded }: JsonObject): Uint8Array | null | string {
  if (typeof encoded !== "string") return null;
  try {
    return Uint8Array.fromBase64(encoded);
  } catch {
    return "`completion_b64` is not base64";
  }
}

const textOf = (completion: unknown) => ({
  text: typeof completion === "string" ? completion : "",
  is_utf8: true,
});

function decode(bytes: Uint8Array): { readonly text: string; readonly is_utf8: boolean } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), is_utf8: true };
  } catch {
    return { text: new TextDecoder().decode(bytes), is_utf8: false };
  }
}

const countOf = (value: unknown) => (typeof value === "number" ? value : null);
const flagOf = (value: unknown) => (typeof value === "boolean" ? value : null);

function requestOf(line: JsonObject): RequestFacts {
  const extra = objectOf(line["extra"]);
  return {
    ...BARE_REQUEST,
    max_tokens: countOf(line["max_tokens"]),
    tools: arrayOf(extra["tools"]).flatMap(toolName),
    format: askedFormat(extra["response_format"]),
    is_prefilled: extra["prefill"] === true || typeof extra["prefill"] === "string",
    is_after_tool_result: extra["after_tool_result"] === true,
    has_inline_reasoning: extra["reasoning_inline"] === true,
  };
}

function answerOf(line: JsonObject): AnswerFacts {
  const extra = objectOf(line["extra"]);
  const calls = arrayOf(extra["tool_calls"]).map(callOf);
  return {
    ...PLAIN_ANSWER,
    finish: typeof line["finish_reason"] === "string" ? line["finish_reason"] : null,
    has_tool_calls: line["has_tool_calls"] === true || calls.length > 0,
    calls,
    output_tokens: countOf(extra["completion_tokens"]),
    reasoning_tokens: countOf(extra["reasoning_tokens"]),
    is_done: flagOf(extra["stream_done"]),
    is_client_gone: extra["client_aborted"] === true,
  };
}

/** A call as `{name, arguments}`, or as chat answers wrap it. */
function callOf(call: unknown): CalledFunction {
  const outer = objectOf(call);
  const { name, arguments: given } = isObject(outer["function"]) ? outer["function"] : outer;
  return { name: typeof name === "string" ? name : "", arguments: given };
}
