import { Type } from "@sinclair/typebox";

import type { Inventory } from "../../control/inventory.ts";
import { readSubject, type Subject } from "../../health/scope.ts";
import { nearestNames } from "../../lib/nearest.ts";
import { SIGNATURES } from "../../verify/signatures/table.ts";
import { quoted, type Refusal } from "../refusal.ts";
import { unknownInstance } from "./known-instance.ts";

/** Parts of a body that names a subject and what its answers look like. */
export const SubjectField = Type.String({
  minLength: 1,
  maxLength: 512,
  description: "An instance, `nim`, or one target, `nim:qwen3-30b`.",
  expected: "it must be the name of an instance or the key of a target, `instance:model`",
});

export const SignatureField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Such as `empty_200`; `inspect output` and docs/signatures.md name them.",
  expected: "it must be the name of a signature, such as `empty_200`",
});

export const ReasonField = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: "^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$",
  description: "Why, for whoever asks later.",
  expected: "it must be a text of 1 to 500 characters without line breaks",
});

type Read<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** A subject of which the instance is known; a model need not have been used yet. */
export function readKnownSubject(
  text: string,
  inventory: Pick<Inventory, "providers">,
): Read<Subject> {
  const read = readSubject(text);
  if (!read.ok) return wrong("subject", read.message);
  const unknown = unknownInstance(read.value.instance, inventory);
  return unknown === undefined ? { kind: "value", value: read.value } : wrong("subject", unknown);
}

/** Null stands for every signature. */
export function readSignature(name: string | null): Read<string | null> {
  const names = SIGNATURES.map((signature) => signature.name);
  if (name === null || names.includes(name)) return { kind: "value", value: name };
  const near = nearestNames(name, names, 3).map((one) => quoted(one));
  const hint = near.length > 0 ? `; near it: ${near.join(", ")}` : "";
  return wrong("signature", `there is no signature ${quoted(name)}${hint}`);
}

/** A signature that can open a breaker of a subject of this scope. */
export function readTripping(name: string, { scope }: Subject): Read<string> {
  const read = readSignature(name);
  if (read.kind === "refused") return read;
  const found = SIGNATURES.find((signature) => signature.name === name);
  if (found?.trips !== true) return wrong("signature", `${quoted(name)} never benches anything`);
  if (scope === "provider" && found.scope === "target") {
    return wrong("subject", `${quoted(name)} benches targets, not instances: name one of them`);
  }
  return { kind: "value", value: name };
}

export function wrong(param: string, message: string): { kind: "refused"; refusal: Refusal } {
  const refusal = { code: "invalid_value", message: `\`${param}\`: ${message}.`, param } as const;
  return { kind: "refused", refusal };
}
