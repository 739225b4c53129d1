import { type Static, Type } from "@sinclair/typebox";

import { quote, textFault } from "../address/spec-fault.ts";
import { NAME } from "../address/spec.ts";
import { type Target, targetKey } from "../address/target.ts";

/** What a bench is about. `provider` means the instance; an endpoint is a target at one upstream host. */
export const ScopeType = Type.Union([
  Type.Literal("provider"),
  Type.Literal("target"),
  Type.Literal("endpoint"),
]);
export type ScopeType = Static<typeof ScopeType>;

/** A scope that a person can name: `nim` is an instance, `nim:qwen3-30b` a target. */
export interface Subject {
  readonly scope: "provider" | "target";
  /** As it was written, blanks around it left out. */
  readonly subject: string;
  /** The instance it is about or belongs to. */
  readonly instance: string;
}

export type ReadSubject =
  { readonly ok: true; readonly value: Subject } | { readonly ok: false; readonly message: string };

/** Reads an instance's name or a target's key, as lists and `explain` show them. */
export function readSubject(text: string): ReadSubject {
  const subject = text.trim();
  if (subject === "") return wrong("names nothing: give `instance` or `instance:model`");
  const unusable = textFault(subject);
  if (unusable !== undefined) return wrong(unusable.message);
  const colon = subject.indexOf(":");
  const instance = colon === -1 ? subject : subject.slice(0, colon);
  if (!NAME.test(instance)) return wrong(`${quote(instance)} cannot name an instance`);
  if (colon === -1) return { ok: true, value: { scope: "provider", subject, instance } };
  if (subject.slice(colon + 1).trim() === "") {
    return wrong(
      `nothing follows the \`:\` of ${quote(subject)}; for the whole instance leave it out`,
    );
  }
  return { ok: true, value: { scope: "target", subject, instance } };
}

function wrong(message: string): ReadSubject {
  return { ok: false, message };
}

/** Identity of a scope: names of instances do not tell upper from lower case, models do. */
export function subjectKey(subject: string): string {
  const colon = subject.indexOf(":");
  if (colon === -1) return subject.toLowerCase();
  const instance = subject.slice(0, colon);
  const folded = instance.toLowerCase();
  // As it was written in nearly every case: a text of its own would have to be hashed again.
  return folded === instance ? subject : folded + subject.slice(colon);
}

/** Keys of all that can bench a target: its instance, and itself. */
export function subjectKeysOf(
  target: Pick<Target, "instance" | "model">,
): readonly [string, string] {
  return [subjectKey(target.instance), subjectKey(targetKey(target))];
}
