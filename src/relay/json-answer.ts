import type { Failure } from "../health/failure.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { isTooDeep } from "../protocol/json/nesting.ts";
import { skipBlanks } from "../protocol/json/scan.ts";
import { isErrorAnswer } from "../protocol/openai/answer-error.ts";
import { contentOfNothing, mergeContent } from "../protocol/openai/content.ts";
import { fitEmbeddings, readEmbeddingsRequest } from "../protocol/openai/embeddings.ts";
import { isObject, type JsonObject, parseJson } from "../protocol/openai/fields.ts";
import { isFiltered } from "../protocol/openai/finish-reason.ts";
import type { ChoiceFacts } from "../protocol/openai/stream/choice.ts";
import { readUsage, type TokenUsage } from "../protocol/openai/usage.ts";
import { customCallsIn } from "../protocol/translate/custom-calls.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { Instance } from "../upstream/instance.ts";
import type { AnswerScan } from "./answer-scan.ts";
import { harmOf } from "./asides.ts";
import type { Attempting } from "./attempting.ts";
import {
  badAnswer,
  failureOfAnswer,
  failureOfDimensions,
  failureOfOutput,
  failureOfOverfull,
  isOverfull,
  type Unanswered,
} from "./blame.ts";
import { type AnsweredKind, outputFault } from "./judgement.ts";
import type { Run } from "./run.ts";
import { readChoices } from "./whole-choices.ts";

/** A whole answer that may go to the client. */
export interface JsonAnswer {
  /** The upstream's bytes from the opening brace on, converted only where the dialect asks. */
  readonly bytes: Uint8Array;
  /** A conversation's answer as a chat completion; any other as it is. */
  readonly view: JsonObject;
  readonly kind: AnsweredKind;
}

export type Judged =
  | { readonly kind: "json"; readonly answer: JsonAnswer }
  /** Another target should answer; `harm` says how bad it is beside other bad ones. */
  | {
      readonly kind: "doubtful";
      readonly answer: JsonAnswer;
      readonly failure: Failure;
      readonly harm: number;
    }
  | Extract<Unanswered, { kind: "failed" }>;

/** What a conversion would have to write level by level. */
export const TOO_DEEP = "the answer nests too deeply to be converted";

export interface AnswerContext {
  readonly run: Run;
  readonly instance: Instance;
  /** Of the model that was asked; null where nobody knows. */
  readonly window_tokens: number | null;
  readonly response: Response;
  /** What the answer is written in. */
  readonly wire: Dialect;
  readonly attempting: Attempting;
  /** Null where nobody is to judge. */
  readonly scan: AnswerScan | null;
  /** A bad answer is to be replaced. */
  readonly rescues: boolean;
  /** Epoch ms. */
  readonly now: number;
}

const decoder = new TextDecoder();

/** Reads and judges a JSON answer: an error dressed as a success, or an empty one, is a failure. */
export function jsonAnswer(bytes: Uint8Array, context: AnswerContext): Judged {
  const { run, attempting } = context;
  const text = decoder.decode(bytes);
  const body = parseJson(text);
  if (!isObject(body) || isErrorAnswer(body)) {
    attempting.used((isObject(body) && readUsage(body)) || null);
    return { kind: "failed", failure: failureOfAnswer({ ...context, body: text }) };
  }
  const isConverted = run.stream || context.wire !== run.request.dialect;
  if (isConverted && isTooDeep(body)) return badAnswer(TOO_DEEP);
  const trimmed = bytes.subarray(skipBlanks(bytes, bytes[0] === 0xef ? 3 : 0));
  const view = viewOf(body, context);
  const usage = readUsage(view) ?? null;
  attempting.used(usage);
  attempting.answeredBy(body["provider"]);
  if (run.request.dialect === "embeddings") return embeddingsAnswer({ bytes: trimmed, body, run });
  const own = inDialect({ bytes: trimmed, view }, context);
  return completionAnswer({ bytes: own, view, usage }, context);
}

/** An answer in its target's dialect as chat would have it. */
function viewOf(body: JsonObject, { wire, run }: AnswerContext): JsonObject {
  if (wire !== "messages" && wire !== "responses") return body;
  if (isTooDeep(body)) return {};
  const isOwn = wire === run.request.dialect;
  const identity = run.egress.identity();
  const parts = isOwn ? { ...identity, onLoss: () => undefined } : identity;
  const view = FORMATS[wire].answerToChat(body, parts);
  const names = run.sent?.custom_tools;
  return names && names.size > 0 ? customCallsIn(view, names) : view;
}

interface Converted {
  readonly bytes: Uint8Array;
  readonly view: JsonObject;
}

/** The bytes for the client: the upstream's own, unless it was spoken to in another dialect. */
function inDialect({ bytes, view }: Converted, { wire, run }: AnswerContext): Uint8Array {
  const { dialect } = run.request;
  if (wire === dialect) return bytes;
  const isWritten = dialect === "messages" || dialect === "responses";
  const body = isWritten ? FORMATS[dialect].answerFromChat(view, run.egress.identity()) : view;
  return new TextEncoder().encode(JSON.stringify(body));
}

interface Parts {
  readonly bytes: Uint8Array;
  readonly body: JsonObject;
}

function embeddingsAnswer({ bytes, body, run }: Parts & { readonly run: Run }): Judged {
  const asked = readEmbeddingsRequest(run.request.parsed);
  const fitted = fitEmbeddings(bytes, body, asked);
  if (fitted.kind === "malformed") return badAnswer(fitted.reason);
  if (fitted.kind === "wrong_width") {
    return { kind: "failed", failure: failureOfDimensions(asked.dimensions, fitted.width) };
  }
  for (const edit of fitted.edits) run.entry.edit(edit);
  return { kind: "json", answer: { bytes: fitted.bytes, view: body, kind: "ok" } };
}

function completionAnswer(
  { bytes, view, usage }: Converted & { readonly usage: TokenUsage | null },
  { run, window_tokens, attempting, scan, rescues }: AnswerContext,
): Judged {
  const choices = readChoices(view, run.request.dialect !== "completions");
  const content = choices.map((choice) => choice.content).reduce(mergeContent, contentOfNothing());
  const finish = choices[0]?.finish ?? null;
  attempting.finished(finish);
  if (isOverfull({ content, finish, usage, window_tokens })) return failureOfOverfull();
  const kind: AnsweredKind = content.refusal || isFiltered(finish) ? "refusal" : "ok";
  if (scan === null) return { kind: "json", answer: { bytes, view, kind } };
  const judged = new Map<number, ChoiceFacts>();
  choices.forEach((choice, index) => {
    scan.push(index, choice.text, bytes);
    judged.set(index, choice);
  });
  const judgement = scan.end({
    choices: judged,
    usage,
    is_done: null,
    is_client_gone: false,
  });
  attempting.judged(judgement);
  const { verdict } = judgement;
  const fault = outputFault(judgement, run.settings.ignored_signatures);
  const answer = { bytes, view, kind: fault ?? kind };
  if (fault === null || !rescues) return { kind: "json", answer };
  const failure = failureOfOutput(fault, verdict);
  if (fault === "malformed_empty") return { kind: "failed", failure };
  return { kind: "doubtful", answer, failure, harm: harmOf(verdict.verdict) };
}
