import { classifyHttp, classifyThrown, classifyTransport } from "../health/classify.ts";
import { failureOf } from "../health/failure-facts.ts";
import type { Failure } from "../health/failure.ts";
import { type ContentFacts, isContentBearing } from "../protocol/openai/content.ts";
import { isContextFull } from "../protocol/openai/finish-reason.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { TransportFault } from "../protocol/transport-fault.ts";
import type { Instance } from "../upstream/instance.ts";
import { UpstreamError } from "../upstream/transport-fault.ts";
import type { Verdict } from "../verify/verdict.ts";
import type { OutputFault } from "./judgement.ts";
import type { LimitName, Stop } from "./watch.ts";

export type Failed = { readonly kind: "failed"; readonly failure: Failure };

/** An attempt without an answer: the upstream's failure, or our own end to it. */
export type Unanswered =
  Failed | { readonly kind: "stopped"; readonly stop: Exclude<Stop, { kind: "timeout" }> };

interface AnswerInput {
  readonly instance: Instance;
  readonly response: Response;
  readonly body: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * What an answer without content means, be it an HTTP error, an error or a page inside a 200, or a
 * stream's error event.
 */
export function failureOfAnswer({ instance, response, body, now }: AnswerInput): Failure {
  return classifyHttp({
    vendor: instance.type.id,
    status: response.status,
    header: (name) => response.headers.get(name),
    body,
    now,
  });
}

/** What a thrown error means; null stands for a connection that simply ended. */
export function failureOfFault(error: unknown): Failure {
  if (error === null) {
    return failureOf("network", { reason: "the connection ended before the answer did" });
  }
  if (error instanceof UpstreamError) {
    return failureOf("bad_upstream", { reason: error.message });
  }
  return classifyThrown(error);
}

export function failureOfConnect({ kind, code }: TransportFault, connect_ms: number): Failed {
  const failure =
    kind === "timeout"
      ? failureOfTimeout({ kind, limit: "connect_timeout", after_ms: connect_ms })
      : classifyTransport({ transport: kind, text: code });
  return { kind: "failed", failure };
}

/** A limit of ours that ran out is the upstream's failure; any other stop is nobody's. */
export function unanswered(stop: Stop): Unanswered {
  if (stop.kind !== "timeout") return { kind: "stopped", stop };
  return { kind: "failed", failure: failureOfTimeout(stop) };
}

const LIMIT_WORDS: Readonly<Record<LimitName, string>> = {
  connect_timeout: "no connection",
  first_byte_timeout: "no response headers",
  first_token_timeout: "no content",
  response_timeout: "no complete answer",
  idle_timeout: "silence",
  deadline: "no answer before the request's deadline",
  max_stream: "the stream outlasted `routing.max_stream`",
};

export function failureOfTimeout(stop: Extract<Stop, { kind: "timeout" }>): Failure {
  const reason = `${LIMIT_WORDS[stop.limit]} (${stop.limit}, ${Math.round(stop.after_ms)} ms)`;
  // What ends by our own clock says little of the target: the deadline may have had a second left.
  const isOurs = stop.limit === "deadline" || stop.limit === "max_stream";
  return failureOf("timeout", {
    reason,
    ...(isOurs && { affects_health: "none", cooldown_ms: 0 }),
  });
}

interface Ending {
  readonly content: ContentFacts;
  /** As the upstream spelled it; null if it named none. */
  readonly finish: string | null;
  readonly usage: Pick<TokenUsage, "input_tokens"> | null;
  /** Of the model; null where nobody knows. */
  readonly window_tokens: number | null;
}

/**
 * The window was full before anything was said, which is an error dressed as an answer. Some vendors
 * say so, others cut the prompt and only their count shows it.
 */
export function isOverfull({ content, finish, usage, window_tokens }: Ending): boolean {
  if (isContentBearing(content)) return false;
  return isContextFull(finish) || (usage?.input_tokens ?? 0) >= (window_tokens ?? Infinity);
}

export function failureOfOverfull(): Failed {
  const reason = "the prompt filled the model's context window";
  return { kind: "failed", failure: failureOf("context_length", { reason }) };
}

/** An output that was judged bad. */
export function failureOfOutput(kind: OutputFault, { signature }: Verdict): Failure {
  const reason =
    kind === "malformed_empty" ? "a success without any content" : `the answer shows ${signature}`;
  return failureOf(kind, { reason });
}

export function failureOfPreamble(): Failed {
  const reason = "256 KiB of stream without any content";
  return { kind: "failed", failure: failureOf("malformed_empty", { reason }) };
}

export function failureOfInterruption(reason: string): Failure {
  return failureOf("stream_interrupted", { reason });
}

/** The upstream's vectors are not as wide as the client asked; another call would not change that. */
export function failureOfDimensions(wanted: number | null, got: number): Failure {
  return failureOf("unsupported_param", {
    reason: `\`dimensions\` ${wanted ?? "?"} was asked for, the model answers with ${got}`,
    param: "dimensions",
  });
}

/** A success status over something that is no answer to the request. */
export function badAnswer(reason: string): Failed {
  return { kind: "failed", failure: failureOf("bad_upstream", { reason }) };
}

/** An answer beyond a limit of ours, which is not the upstream's fault. */
export function oversized(limit: "max_answer" | "max_frame"): Failed {
  const what = limit === "max_answer" ? "the answer" : "an event of the stream";
  const failure = failureOf("bad_upstream", {
    reason: `${what} exceeds \`routing.${limit}\``,
    affects_health: "none",
    cooldown_ms: 0,
  });
  return { kind: "failed", failure };
}
