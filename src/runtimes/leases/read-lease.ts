import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { Lease, LEASE_NAME, PHASES } from "../lease.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ReadableLease {
  readonly kind: "lease";
  readonly name: string;
  readonly lease: Lease;
  /** The file's whole content, fields of later versions included. */
  readonly raw: JsonObject;
  /** What was understood differently from what is written, for `status`. */
  readonly doubts: readonly string[];
}

/** A file that may describe a machine that costs money. It is never deleted, and its name stays taken. */
export interface UnreadableLease {
  readonly kind: "unreadable";
  /** Of the file, without `.json`. */
  readonly name: string;
  readonly reason: string;
}

export type LeaseFile = ReadableLease | UnreadableLease;

/** The version of the file that this code writes. */
export const LEASE_SCHEMA = 1;

/** What a lease file says. Every field that can be left out without losing the machine is forgiven. */
export function readLease(name: string, text: string): LeaseFile {
  const damaged = (reason: string): UnreadableLease => ({ kind: "unreadable", name, reason });
  if (!LEASE_NAME.test(name)) return damaged("its name is no runtime's");
  const raw = parseObject(text);
  if (raw === null) return damaged("it holds no JSON object");
  if (raw["name"] !== name) return damaged("it is of a runtime of another name");
  const doubts: string[] = [];
  const view: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(Lease.properties)) {
    const value = readField(key, schema, raw[key]);
    if (!value.ok) return damaged(`\`${key}\` is missing or makes no sense`);
    if (value.doubt !== null) doubts.push(value.doubt);
    view[key] = value.value;
  }
  if (!Value.Check(Lease, view)) return damaged("it is no lease");
  if (view.schema > LEASE_SCHEMA) doubts.push("it was written by a later version");
  return { kind: "lease", name, lease: view, raw, doubts };
}

type Field =
  | { readonly ok: true; readonly value: unknown; readonly doubt: string | null }
  | { readonly ok: false };

function readField(key: string, schema: TSchema, given: unknown): Field {
  if (key === "phase") return readPhase(given);
  const fallback: unknown = schema.default;
  const filled = given === undefined ? undefined : Value.Default(schema, Value.Clone(given));
  if (Value.Check(schema, filled)) return { ok: true, value: filled, doubt: null };
  if (fallback === undefined && !(OptionalKind in schema)) return { ok: false };
  const doubt = given === undefined ? null : `\`${key}\` makes no sense and is left out`;
  return { ok: true, value: Value.Clone(fallback), doubt };
}

/** A phase of a later version may be one that costs money, so it is taken for the worst that still runs. */
function readPhase(given: unknown): Field {
  if (typeof given !== "string") return { ok: false };
  if (PHASES.some((phase) => phase === given)) return { ok: true, value: given, doubt: null };
  return { ok: true, value: "degraded", doubt: "its phase is unknown here and taken for degraded" };
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
