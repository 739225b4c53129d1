import { isObject, type JsonObject } from "../protocol/openai/fields.ts";
import { classifyHttp, classifyThrown, classifyTransport } from "./classify.ts";
import { FAILURE_FACTS } from "./failure-facts.ts";
import type { Failure, FailureFacts, FailureKind, HealthScope } from "./failure.ts";

/** One saved error, judged as the router judges it. */
export interface InspectedError {
  readonly id: unknown;
  readonly kind: FailureKind;
  readonly retry_same: boolean;
  readonly fail_over: FailureFacts["fail_over"];
  readonly affects_health: HealthScope;
  /** Null lasts until cleared. */
  readonly cooldown_ms: number | null;
  /** For an OpenAI chat client with no candidate left. */
  readonly client_status: number;
  readonly reason: string;
}

export interface UnreadableError {
  readonly id: unknown;
  readonly error: string;
}

const TRANSPORTS = ["timeout", "reset", "dns", "tls", "refused", "abort"] as const;

/**
 * Judges `{id, vendor?, status?, headers?, body?, transport?}`. `transport` decides alone; without it
 * and without a status the body is the text of an exception.
 */
export function inspectError(line: JsonObject, now: number): InspectedError | UnreadableError {
  const id = line["id"] ?? null;
  const problem = problemOf(line);
  if (problem !== null) return { id, error: problem };
  const { kind, affects_health, cooldown_ms, reason } = classify(line, now);
  const { retry_same, fail_over, client_status } = FAILURE_FACTS[kind];
  return { id, kind, retry_same, fail_over, affects_health, cooldown_ms, client_status, reason };
}

function problemOf({ status, headers, transport }: JsonObject): string | null {
  const known: readonly unknown[] = TRANSPORTS;
  if (transport !== undefined && transport !== null && !known.includes(transport)) {
    return `\`transport\` must be one of ${TRANSPORTS.join(", ")}`;
  }
  const isStatus = Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599;
  if (status !== undefined && status !== null && !isStatus) {
    return "`status` must be a whole number from 100 to 599, or null";
  }
  if (headers !== undefined && headers !== null && !isObject(headers)) {
    return "`headers` must be an object of header names and values";
  }
  return null;
}

function classify({ vendor, status, headers, body, transport }: JsonObject, now: number): Failure {
  const fault = TRANSPORTS.find((name) => name === transport);
  if (fault !== undefined) return classifyTransport({ transport: fault });
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  if (typeof status !== "number") return classifyThrown(text);
  return classifyHttp({
    vendor: typeof vendor === "string" ? vendor : null,
    status,
    header: headerReader(headers),
    body: body === undefined || body === null ? "" : text,
    now,
  });
}

function headerReader(headers: unknown): (name: string) => string | null {
  const entries = isObject(headers) ? Object.entries(headers) : [];
  const byName = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    if (Array.isArray(value)) return value.join(", ");
    return typeof value === "string" || typeof value === "number" ? String(value) : null;
  };
}
