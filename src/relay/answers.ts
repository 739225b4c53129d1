import { ERRORS } from "../protocol/error-codes.ts";
import { appendMember } from "../protocol/json/append-member.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { expandAnswer } from "../protocol/openai/expand.ts";
import type { Outcome } from "./carry-out.ts";
import type { ErrorAnswer } from "./client-response.ts";
import { explainComment, routerMember } from "./explain-record.ts";
import type { JsonAnswer } from "./json-answer.ts";
import type { Run } from "./run.ts";

/** Answers to the two shapes of request. The decision is settled, but for a stream that goes on. */
export type WholeAnswer =
  | { readonly kind: "json"; readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Headers }
  | FailedAnswer;
export type StreamAnswer =
  | {
      readonly kind: "stream";
      readonly source: AsyncGenerator<Uint8Array>;
      readonly headers: Headers;
    }
  | FailedAnswer;
export interface FailedAnswer {
  readonly kind: "error";
  readonly error: ErrorAnswer;
}

export type Answered = Extract<Outcome, { kind: "json" | "stream" }>;

export function wholeAnswer({ entry, request }: Run, outcome: Answered): WholeAnswer {
  if (outcome.kind === "stream") throw new Error("a stream was opened for a request for JSON");
  entry.finish({ status: 200, outcome: "ok" });
  const member = routerMember(entry.decision, request.debug);
  const bytes = appendMember(outcome.answer.bytes, "veriroute", member);
  return { kind: "json", bytes, headers: outcome.headers };
}

/** A JSON answer that came although a stream was asked for becomes one that the client can read. */
export function streamAnswer(run: Run, outcome: Answered): StreamAnswer {
  if (outcome.kind === "stream") return outcome;
  run.entry.edit("json_to_sse");
  run.entry.finish({ status: 200, outcome: "ok" });
  return {
    kind: "stream",
    source: once(expandedText(run, outcome.answer)),
    headers: outcome.headers,
  };
}

function expandedText(run: Run, { body }: JsonAnswer): string {
  const text = expandAnswer(body, {
    dialect: run.request.dialect === "completions" ? "completions" : "chat",
    include_usage: run.wants_usage,
    newId: createCallIds(run.entry.id),
  });
  const marker = text.lastIndexOf("data: [DONE]");
  return `${text.slice(0, marker)}${explainComment(run)}${text.slice(marker)}`;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** An error, entered into the decision: after an early commit the client has its 200 already. */
export function errorAnswer(
  { entry, request, is_committed }: Run,
  error: ErrorAnswer,
): FailedAnswer {
  const { code, details } = error;
  const outcome = code === "client_closed_request" ? "cancelled" : "failed";
  const status = is_committed && outcome === "failed" ? 200 : ERRORS[code].status;
  entry.finish({ status, outcome, error_code: code });
  if (!request.debug) return { kind: "error", error };
  return { kind: "error", error: { ...error, details: { ...details, explain: entry.decision } } };
}
