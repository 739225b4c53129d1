import { assertNever } from "../../lib/assert-never.ts";
import { type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";
import { isEssential, isHint, isNeutral } from "./member-kinds.ts";
import type { ChatQuirks, MemberRule } from "./quirks.ts";

export interface Members {
  readonly body: JsonObject;
  readonly quirks: ChatQuirks;
  /** The client named the target itself. */
  readonly pinned: boolean;
  /** Members that the client did not ask for, so that it is not refused for one. */
  readonly preferred?: ReadonlySet<string> | undefined;
}

/** What becomes of the body's own members, efforts and messages apart. */
export function shapeMembers(members: Members, findings: ShapingFindings): void {
  shapeRuled(members, findings);
  dropEmptyTools(members.body, findings);
}

function shapeRuled(members: Members, findings: ShapingFindings): void {
  const { body, quirks } = members;
  // A vendor may have a rule for each of some sixty members, of which hardly a body has one.
  if (!Object.keys(body).some((name) => quirks.members.has(name))) return;
  for (const [name, rule] of quirks.members) {
    // `shapeEffort` reads it first.
    if (!Object.hasOwn(body, name) || name === "reasoning") continue;
    const value = body[name];
    const fate = fateOf(rule, value, body);
    if (fate.kind === "rename") renameMember(body, { name, to: fate.to }, findings);
    else if (fate.kind === "set") setMember(name, fate.value, findings);
    else if (fate.kind === "drop") dropMember({ ...members, name, takes: fate.takes }, findings);
    else if (fate.kind === "ignored" && !isNeutral(name, value)) findings.lose(name);
  }
}

type Fate =
  | { readonly kind: "keep" | "ignored" }
  | { readonly kind: "rename"; readonly to: string }
  | { readonly kind: "set"; readonly value: unknown }
  | { readonly kind: "drop"; readonly takes: string | null };

const KEEP: Fate = { kind: "keep" };

function fateOf(rule: MemberRule, value: unknown, body: JsonObject): Fate {
  switch (rule.kind) {
    case "refused":
      return { kind: "drop", takes: null };
    case "ignored":
      return { kind: "ignored" };
    case "renamed":
      return { kind: "rename", to: rule.to };
    case "yields":
      return Object.hasOwn(body, rule.to) ? { kind: "rename", to: rule.to } : KEEP;
    case "only":
      return value === rule.value ? KEEP : { kind: "drop", takes: JSON.stringify(rule.value) };
    case "types":
      return fateOfType(rule.takes, objectOf(value)["type"]);
    case "words":
      return fateOfWord(typeof value === "string" ? rule.words.get(value) : undefined);
    default:
      return assertNever(rule);
  }
}

function fateOfType(takes: readonly string[], type: unknown): Fate {
  if (typeof type !== "string" || takes.includes(type)) return KEEP;
  return { kind: "drop", takes: `type ${takes.join(" and ")}` };
}

function fateOfWord(word: string | undefined): Fate {
  return word === undefined ? KEEP : { kind: "set", value: word };
}

interface Renamed {
  readonly name: string;
  readonly to: string;
}

function renameMember(body: JsonObject, { name, to }: Renamed, findings: ShapingFindings): void {
  const { remove, rename } = findings.change;
  if (Object.hasOwn(body, to) || body[name] === null) remove.add(name);
  else rename.set(name, to);
  findings.note(name);
}

function setMember(name: string, value: unknown, findings: ShapingFindings): void {
  findings.change.set.set(name, value);
  findings.note(name);
}

interface Dropped extends Members {
  readonly name: string;
  /** What is taken instead, as text; null if nothing is. */
  readonly takes: string | null;
}

/**
 * Leaves out what says nothing, or what no answer depends on. The rest is left out with a warning
 * where a pool chose the target, and refused where the client did, or where it could not go without.
 */
export function dropMember(dropped: Dropped, findings: ShapingFindings): void {
  const { body, pinned, preferred, name } = dropped;
  if (isNeutral(name, body[name])) {
    findings.change.remove.add(name);
    findings.note(name);
    return;
  }
  const isNeeded = isEssential(name) || (pinned && !isHint(name));
  if (isNeeded && !preferred?.has(name)) {
    findings.refuse({ param: name, message: refusalOf(dropped) });
    return;
  }
  findings.change.remove.add(name);
  findings.lose(name);
}

function refusalOf({ name, takes, pinned, quirks: { vendor } }: Dropped): string {
  const problem =
    takes === null
      ? `${vendor} does not take \`${name}\``
      : `${vendor} takes only ${takes} for \`${name}\``;
  const way = pinned ? "or ask for a pool with targets that take it" : "or add a target that does";
  return `${problem} for this model: leave it out, ${way}.`;
}

/** Many servers answer an empty list of tools, and what speaks of them, with an error. */
function dropEmptyTools(body: JsonObject, findings: ShapingFindings): void {
  const { tools } = body;
  if (!Array.isArray(tools) || tools.length > 0) return;
  for (const name of ["tools", "tool_choice", "parallel_tool_calls"]) {
    if (!Object.hasOwn(body, name)) continue;
    findings.change.set.delete(name);
    findings.change.remove.add(name);
  }
  findings.note("tools");
}
