import type { Failure } from "../health/failure.ts";
import { isTooDeep } from "../protocol/json/nesting.ts";
import { skipBlanks } from "../protocol/json/scan.ts";
import { aggregateStream } from "../protocol/openai/aggregate.ts";
import { isErrorAnswer } from "../protocol/openai/answer-error.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { contentOfNothing, mergeContent } from "../protocol/openai/content.ts";
import { fitEmbeddings, readEmbeddingsRequest } from "../protocol/openai/embeddings.ts";
import { isObject, type JsonObject, parseJson } from "../protocol/openai/fields.ts";
import { isFiltered } from "../protocol/openai/finish-reason.ts";
import { readUsage, type TokenUsage } from "../protocol/openai/usage.ts";
import { createFramer } from "../protocol/sse/framer.ts";
import type { Instance } from "../upstream/instance.ts";
import type { AnswerScan } from "./answer-scan.ts";
import { harmOf } from "./asides.ts";
import type { Attempting } from "./attempting.ts";
import {
  badAnswer,
  failureOfAnswer,
  failureOfDimensions,
  failureOfFault,
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
  readonly body: JsonObject;
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
const TOO_DEEP = "the answer nests too deeply to be converted";

interface AnswerContext {
  readonly run: Run;
  readonly instance: Instance;
  /** Of the model that was asked; null where nobody knows. */
  readonly window_tokens: number | null;
  readonly response: Response;
  readonly attempting: Attempting;
  /** Null where nobody is to judge. */
  readonly scan: AnswerScan | null;
  /** A bad answer is to be replaced. */
  readonly rescues: boolean;
  /** Epoch ms. */
  readonly now: number;
}

/** Reads and judges a JSON answer: an error dressed as a success, or an empty one, is a failure. */
export function jsonAnswer(bytes: Uint8Array, context: AnswerContext): Judged {
  const { run, attempting } = context;
  const text = new TextDecoder().decode(bytes);
  const body = parseJson(text);
  const usage = (isObject(body) && readUsage(body)) || null;
  attempting.used(usage);
  if (!isObject(body) || isErrorAnswer(body)) {
    return { kind: "failed", failure: failureOfAnswer({ ...context, body: text }) };
  }
  if (run.stream && isTooDeep(body)) return badAnswer(TOO_DEEP);
  const trimmed = bytes.subarray(skipBlanks(bytes, bytes[0] === 0xef ? 3 : 0));
  return run.request.dialect === "embeddings"
    ? embeddingsAnswer({ bytes: trimmed, body, run })
    : completionAnswer({ bytes: trimmed, body, usage }, context);
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
  return { kind: "json", answer: { bytes: fitted.bytes, body, kind: "ok" } };
}

function completionAnswer(
  { bytes, body, usage }: Parts & { readonly usage: TokenUsage | null },
  { run, window_tokens, attempting, scan, rescues }: AnswerContext,
): Judged {
  const choices = readChoices(body, run.request.dialect === "chat");
  const content = choices.map((choice) => choice.content).reduce(mergeContent, contentOfNothing());
  const finish = choices[0]?.finish ?? null;
  if (isOverfull({ content, finish, usage, window_tokens })) return failureOfOverfull();
  const kind: AnsweredKind = content.refusal || isFiltered(finish) ? "refusal" : "ok";
  if (scan === null) return { kind: "json", answer: { bytes, body, kind } };
  for (const [index, { text }] of choices.entries()) scan.push(index, text, bytes);
  const judgement = scan.end({
    choices: new Map(choices.entries()),
    usage,
    is_done: null,
    is_client_gone: false,
  });
  attempting.judged(judgement);
  const { verdict } = judgement;
  const fault = outputFault(judgement, run.settings.ignored_signatures);
  const answer = { bytes, body, kind: fault ?? kind };
  if (fault === null || !rescues) return { kind: "json", answer };
  const failure = failureOfOutput(fault, verdict);
  if (fault === "malformed_empty") return { kind: "failed", failure };
  return { kind: "doubtful", answer, failure, harm: harmOf(verdict.verdict) };
}

/** A stream that came although JSON was asked for, put together. */
export function streamedAsJson(bytes: Uint8Array, context: AnswerContext): Judged {
  const { entry, request } = context.run;
  // The answer as a whole is within its limit, so each of its events is.
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const { frames } = framer.push(bytes);
  const last = framer.end();
  const joined = aggregateStream(last ? [...frames, last] : frames, {
    dialect: request.dialect === "completions" ? "completions" : "chat",
    newId: createCallIds(entry.id),
    onEdit: (edit) => entry.edit(edit),
  });
  if (joined.kind === "nothing") {
    return badAnswer("the answer is an event stream without events");
  }
  if (joined.kind === "too_deep") return badAnswer(TOO_DEEP);
  if (joined.kind === "error") {
    return { kind: "failed", failure: failureOfAnswer({ ...context, body: joined.payload }) };
  }
  if (!joined.is_finished) return { kind: "failed", failure: failureOfFault(null) };
  entry.edit("sse_to_json");
  return jsonAnswer(new TextEncoder().encode(JSON.stringify(joined.body)), context);
}
