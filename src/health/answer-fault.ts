import type { ErrorBody } from "../protocol/error-body.ts";
import { arrayOf, objectOf, parseJson } from "../protocol/openai/fields.ts";
import type { ReadHeader } from "../protocol/retry-after.ts";
import { failureOf } from "./failure-facts.ts";
import type { Failure } from "./failure.ts";

export interface AnswerFaultSource {
  readonly status: number;
  readonly header: ReadHeader;
  readonly text: string;
  readonly body: ErrorBody;
}

const DECODABLE = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"]);

/** What is wrong with a 2xx that holds no error object. */
export function answerFault({ status, header, text, body }: AnswerFaultSource): Failure {
  const coding = undecodable(header("content-encoding"));
  if (coding !== null) {
    return failureOf("bad_upstream", {
      status,
      reason: `the answer came in the content coding \`${coding}\`, which nobody asked for`,
    });
  }
  if (body.form === "json") return faultOfJson(status, text);
  if (body.form === "sse") {
    return failureOf("unknown", { status, reason: "a stream that holds no error" });
  }
  return faultOfShape({ status, header, text, body });
}

/** The first coding the runtime does not decode, cut to what may be shown. */
function undecodable(codings: string | null): string | null {
  const names = (codings ?? "").split(",").map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !DECODABLE.has(name));
  return unknown === undefined ? null : unknown.replaceAll(/[^\w.-]/g, "").slice(0, 32);
}

function faultOfJson(status: number, text: string): Failure {
  const answer = objectOf(parseJson(text));
  const choice = objectOf(arrayOf(answer["choices"])[0]);
  const finish = choice["finish_reason"];
  if (objectOf(answer["promptFeedback"])["blockReason"] !== undefined) {
    return failureOf("refusal", { status, reason: "the vendor blocked the prompt" });
  }
  if (finish === "model_context_window_exceeded") {
    return failureOf("context_length", {
      status,
      reason: "the answer ended because the context window was full",
    });
  }
  if (finish === "content_filter" || finish === "refusal" || hasRefusal(choice)) {
    return failureOf("refusal", { status, reason: "the model or its filter refused" });
  }
  return failureOf("unknown", { status, reason: "an answer that holds no error" });
}

function hasRefusal(choice: Readonly<Record<string, unknown>>): boolean {
  const refusal = objectOf(choice["message"])["refusal"];
  return typeof refusal === "string" && refusal !== "";
}

/** Broken JSON under a JSON label was cut on its way and may come whole next time. */
function faultOfShape({ status, header, text, body }: AnswerFaultSource): Failure {
  const type = (header("content-type") ?? "").toLowerCase();
  const promised = type.includes("json") || type.includes("event-stream");
  const started = /^\s*[[{]/.test(text);
  if (body.form !== "html" && (promised || started || body.form === "empty")) {
    return failureOf("server", { status, reason: "an answer cut off or filled with nothing" });
  }
  return failureOf("bad_upstream", {
    status,
    reason: "an answer that is neither JSON nor an event stream: check the instance's base_url",
  });
}
