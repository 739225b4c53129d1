import { expandMessage } from "../protocol/anthropic/message-events.ts";
import { errorStatus } from "../protocol/dialect-error.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { appendMember } from "../protocol/json/append-member.ts";
import { joinBytes } from "../protocol/json/edit.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { expandAnswer } from "../protocol/openai/expand.ts";
import { type JsonObject, objectOf, parseJson } from "../protocol/openai/fields.ts";
import { expandResponse } from "../protocol/responses/expand-response.ts";
import type { PassedHeaders } from "../upstream/inbound-headers.ts";
import { answerReader } from "./answer-reader.ts";
import type { Outcome } from "./carry-out.ts";
import type { ErrorAnswer } from "./client-response.ts";
import { explainComment, routerMember } from "./explain-record.ts";
import type { JsonAnswer } from "./json-answer.ts";
import type { Run } from "./run.ts";
import { createConsumer } from "./stream-consumer.ts";

/** Answers to the two shapes of request. The decision is settled, but for a stream that goes on. */
export type WholeAnswer =
  | {
      readonly kind: "json";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly headers: PassedHeaders;
    }
  | FailedAnswer;
export type StreamAnswer =
  | {
      readonly kind: "stream";
      readonly source: AsyncIterator<Uint8Array>;
      readonly headers: PassedHeaders;
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
    source: once(expanded(run, outcome.answer)),
    headers: outcome.headers,
  };
}

function expanded(run: Run, { bytes, view }: JsonAnswer): Uint8Array {
  const { dialect } = run.request;
  const comment = new TextEncoder().encode(explainComment(run));
  const expand = EXPANSIONS[dialect];
  if (expand) {
    const own = objectOf(parseJson(new TextDecoder().decode(bytes)));
    return joinBytes([comment, new TextEncoder().encode(expand(own))]);
  }
  const wire = dialect === "completions" ? dialect : "chat";
  const include_usage = run.wants_usage;
  const text = expandAnswer(view, {
    dialect: wire,
    include_usage,
    newId: createCallIds(run.entry.id),
  });
  const { out, end } = createConsumer({
    reader: (onText) => answerReader(run, wire, onText ? { onText } : {}),
    max_frame: Number.POSITIVE_INFINITY,
  }).feed(new TextEncoder().encode(text));
  const marker = end?.kind === "done" ? end.marker : new Uint8Array();
  return joinBytes([out, comment, marker]);
}

/** Dialects whose whole answers say everything that a stream of them does. */
const EXPANSIONS: Partial<Record<Dialect, (answer: JsonObject) => string>> = {
  messages: expandMessage,
  responses: expandResponse,
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** An error, entered into the decision: after an early commit the client has its 200 already. */
export function errorAnswer(
  { entry, request, is_committed }: Run,
  error: ErrorAnswer,
): FailedAnswer {
  const { code, details } = error;
  const outcome = code === "client_closed_request" ? "cancelled" : "failed";
  const status = is_committed && outcome === "failed" ? 200 : errorStatus(request.dialect, code);
  entry.finish({ status, outcome, error_code: code });
  if (!request.debug) return { kind: "error", error };
  return { kind: "error", error: { ...error, details: { ...details, explain: entry.decision } } };
}
