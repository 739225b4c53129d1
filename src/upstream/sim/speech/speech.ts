import { isObject, parseJson } from "../../../protocol/openai/fields.ts";
import type { Ask } from "../ask.ts";
import type { ModelName } from "../models.ts";
import type { ParamValues } from "../params.ts";
import { breakEncoding } from "./encodings.ts";
import { sampleSchema } from "./sample.ts";
import {
  driftTokens,
  LEAKS,
  loopTokens,
  REASONING,
  REFUSAL,
  storyTokens,
  TYPOGRAPHIC,
} from "./texts.ts";
import { type Limits, limitTokens, splitTokens } from "./tokens.ts";

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** One token of an answer, or one piece of a tool call. */
export type Delta =
  | { readonly kind: "text" | "reasoning" | "refusal"; readonly text: string }
  | { readonly kind: "call"; readonly index: number; readonly call: ToolCall }
  | { readonly kind: "arguments"; readonly index: number; readonly text: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What one choice says, made while it is read, and why it ends. */
export type Speech = Generator<Delta, FinishReason, undefined>;

export interface Speaker {
  readonly model: ModelName;
  readonly params: ParamValues;
  readonly newId: (prefix: string) => string;
}

/** The speeches of a request: `n` for each prompt, none where the model answers without choices. */
export function speeches(speaker: Speaker, ask: Ask): readonly Speech[] {
  if (speaker.model === "empty" && speaker.params.text("form") === "choices") return [];
  return ask.prompts.flatMap((prompt) =>
    Array.from({ length: ask.n }, () => speech(speaker, ask, prompt)),
  );
}

function* speech(speaker: Speaker, ask: Ask, prompt: string): Speech {
  if (ask.repeat_prompt) yield* spoken(splitTokens(prompt));
  return yield* callsTools(speaker.model, ask)
    ? callTools(speaker, ask, prompt)
    : say(speaker, ask, prompt);
}

/** Their fault is in what they say: a tool call in its place would hide it. */
const FAULTY_SPEAKERS: ReadonlySet<ModelName> = new Set([
  "empty",
  "mojibake",
  "loop",
  "refuse",
  "drift",
  "leak",
]);

function callsTools(model: ModelName, { tools: use }: Ask): boolean {
  if (use.tools.length === 0 || FAULTY_SPEAKERS.has(model)) return false;
  return model === "tools" || use.forced;
}

function* say({ model, params }: Speaker, { limits, json }: Ask, prompt: string): Speech {
  switch (model) {
    case "story":
      return yield* spoken(storyTokens(params.number("tokens")), limits);
    case "loop":
      return yield* sayLoop(params, limits);
    case "drift":
      return yield* spoken(driftTokens(params.number("after"), params.text("language")), limits);
    case "mojibake":
      return yield* spoken(splitTokens(breakEncoding(TYPOGRAPHIC, params)), limits);
    case "leak":
      return yield* spoken(splitTokens(LEAKS[params.text("form")] ?? ""), limits);
    case "refuse":
      return yield* sayRefusal(params.text("form"), limits);
    case "empty":
      return yield* sayNothing(params.text("form"), limits);
    default:
      return yield* spoken(
        splitTokens(json === null ? echoOf(prompt) : asJson(json, prompt)),
        limits,
      );
  }
}

type TextKind = "text" | "reasoning" | "refusal";
const UNLIMITED: Limits = { max_tokens: null, stop: [] };

function* spoken(tokens: Iterable<string>, limits = UNLIMITED, kind: TextKind = "text"): Speech {
  const limited = limitTokens(tokens, limits);
  for (let next = limited.next(); ; next = limited.next()) {
    if (next.done === true) return next.value;
    yield { kind, text: next.value };
  }
}

/** A loop never finds its end: what stops it is the client's limit or the model's own. */
function sayLoop(params: ParamValues, { max_tokens, stop }: Limits): Speech {
  const own = params.number("tokens");
  const limits = { max_tokens: Math.min(own, max_tokens ?? own), stop };
  return spoken(loopTokens(params.number("after")), limits);
}

function* sayRefusal(form: string, limits: Limits): Speech {
  if (form === "content_filter") return "content_filter";
  return yield* spoken(splitTokens(REFUSAL), limits, form === "field" ? "refusal" : "text");
}

function* sayNothing(form: string, limits: Limits): Speech {
  if (form === "whitespace") return yield* spoken([" \n", "\n "], limits);
  if (form === "reasoning") return yield* spoken(splitTokens(REASONING), limits, "reasoning");
  return "stop";
}

/** An empty message gets a visible answer; every other text comes back as it is. */
function echoOf(prompt: string): string {
  return prompt === "" ? "(empty message)" : prompt;
}

function asJson({ schema }: { readonly schema: unknown }, prompt: string): string {
  if (schema !== null) return JSON.stringify(sampleSchema(schema, prompt));
  return isObject(parseJson(prompt)) ? prompt : JSON.stringify({ answer: prompt });
}

function* callTools(
  { model, params, newId }: Speaker,
  { tools: use }: Ask,
  prompt: string,
): Speech {
  const asked = model === "tools" ? params.number("calls") : 1;
  const pieces = model === "tools" ? params.number("fragments") : 1;
  const count = use.parallel ? asked : 1;
  for (let index = 0; index < count; index++) {
    const tool = use.tools[index % use.tools.length];
    if (tool === undefined) break;
    const sampled = sampleSchema(tool.parameters, prompt);
    const whole = JSON.stringify(isObject(sampled) ? sampled : {});
    const call = { id: newId("call_"), name: tool.name };
    if (pieces === 1) {
      yield { kind: "call", index, call: { ...call, arguments: whole } };
      continue;
    }
    yield { kind: "call", index, call: { ...call, arguments: "" } };
    for (const text of splitEvenly(whole, pieces)) yield { kind: "arguments", index, text };
  }
  return "tool_calls";
}

/** `text` in at most `pieces` pieces of nearly equal length, none empty, no code point split. */
function splitEvenly(text: string, pieces: number): readonly string[] {
  const characters = Array.from(text);
  const size = Math.ceil(characters.length / pieces);
  return Array.from({ length: pieces }, (_, piece) =>
    characters.slice(piece * size, (piece + 1) * size).join(""),
  ).filter((piece) => piece !== "");
}
