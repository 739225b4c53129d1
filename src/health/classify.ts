import { readErrorBody } from "../protocol/error-body.ts";
import { codeWord } from "../protocol/error-fields.ts";
import type { ReadHeader } from "../protocol/retry-after.ts";
import { readTransportFault, type TransportFaultKind } from "../protocol/transport-fault.ts";
import { answerFault } from "./answer-fault.ts";
import { failureOf } from "./failure-facts.ts";
import type { Failure, FailureKind } from "./failure.ts";
import { behindGateway, findKind } from "./find-kind.ts";
import { TRANSPORT_FACTS } from "./transport-facts.ts";
import { storableCode } from "./vendor-codes.ts";
import { type Answer, rateLimitScope, timing } from "./waits.ts";

export interface HttpAnswer {
  /** A hint such as a provider type's id; never required. */
  readonly vendor?: string | null;
  readonly status: number | null;
  readonly header: ReadHeader;
  /** The body's text, decoded; a `data:` body is read as an event stream. */
  readonly body: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * The kind of an upstream's HTTP answer. Structured codes come before text and status, since the
 * same sentence means an empty wallet at one vendor and a busy minute at another; text overrules a
 * status only where `text-rules.ts` says so.
 */
export function classifyHttp({ vendor, status, header, body: text, now }: HttpAnswer): Failure {
  if (isWithin(status, 300)) return redirected(status, header);
  const body = readErrorBody(text);
  const isSuccess = isWithin(status, 200);
  if (isSuccess && !body.is_error) return answerFault({ status, header, text, body });
  const codes = [...body.codes, codeWord(header("x-amzn-errortype"))].filter((c) => c !== null);
  // A gateway that has sent its headers can only name the true status inside the body.
  const named = isSuccess ? body.status : (status ?? body.status);
  return {
    ...failureOfError({ vendor: vendor ?? "", status: named, header, body, codes, now }),
    status: named ?? status,
  };
}

function isWithin(status: number | null, hundred: number): status is number {
  return status !== null && status >= hundred && status < hundred + 100;
}

function failureOfError(answer: Answer): Failure {
  const { body, codes, status } = answer;
  const behind = body.inner === null ? null : behindGateway(body.inner, status);
  const { kind, reason } = behind ?? findKind(answer);
  return failureOf(kind, {
    reason,
    ...timing(kind, answer),
    ...scopeOf(kind, answer, behind !== null),
    vendor_code: storableCode(behind === null ? codes : (body.inner?.codes ?? [])),
    message: body.inner?.message ?? body.message,
    param: safeParam(body.param),
  });
}

/**
 * A bench of an aggregator's vendor never touches the other models behind the same key, nor does a
 * free allowance that each model has of its own.
 */
function scopeOf(kind: FailureKind, answer: Answer, isBehind: boolean) {
  if (kind === "rate_limit") return { affects_health: rateLimitScope(answer) };
  const isOneModels = isBehind || answer.codes.includes("allocationquota.freetieronly");
  if (!isOneModels || (kind !== "insufficient_credit" && kind !== "auth")) return {};
  return { affects_health: "target", cooldown_ms: 600_000 } as const;
}

function redirected(status: number, header: ReadHeader): Failure {
  const host = hostOf(header("location"));
  const where = host === null ? "elsewhere" : `to \`${host}\``;
  return failureOf("bad_upstream", {
    status,
    reason: `the upstream redirects ${where}; redirects are not followed: check the base_url`,
  });
}

function hostOf(location: string | null): string | null {
  return /^(?:https?:)?\/\/(?:[^/?#@]*@)?([\w.-]+(?::\d+)?)/i.exec(location ?? "")?.[1] ?? null;
}

/** A parameter's path; anything else could repeat a key or a prompt. */
function safeParam(param: string | null): string | null {
  return param !== null && /^[a-z_][\w.[\]]{0,63}$/i.test(param) ? param : null;
}

export interface TransportFailure {
  readonly transport: TransportFaultKind;
  /** The runtime's code for it, such as `ECONNRESET`. */
  readonly text?: string | null;
}

/** The kind of a call that ended without an HTTP answer. */
export function classifyTransport({ transport, text }: TransportFailure): Failure {
  const { kind, reason } = TRANSPORT_FACTS[transport];
  const code = /^\w{1,64}$/.test(text ?? "") ? (text ?? null) : null;
  return failureOf(kind, {
    reason: code === null ? reason : `${reason} (${code})`,
    vendor_code: code,
    ...(transport === "local" && { affects_health: "none", cooldown_ms: 0 }),
  });
}

/** The kind of what `fetch` or a body read threw; an exception's text alone will do. */
export function classifyThrown(thrown: unknown): Failure {
  const { kind: transport, code } = readTransportFault(thrown);
  return classifyTransport({ transport, text: code });
}
