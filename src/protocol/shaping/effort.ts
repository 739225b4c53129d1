import { type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";
import type { EffortQuirks } from "./quirks.ts";
import { dropMember, type Members } from "./shape-members.ts";

const LADDER = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * How much the model is to think, in the words it takes. An effort is never a reason to refuse: it
 * becomes the nearest one, or is left out where a model knows none.
 */
export function shapeEffort(members: Members, findings: ShapingFindings): void {
  const { body, quirks } = members;
  const taken = takeReasoning(members, findings);
  const { effort } = quirks;
  const given = body["reasoning_effort"];
  const asked = typeof given === "string" ? given : taken;
  if (asked === null) {
    // Null says nothing, and is an error where the member is not known.
    if (given === null && effort?.takes.length === 0) leaveOut(findings, "note");
    return;
  }
  const word = effort === null ? asked : wordFor(asked, effort);
  if (word === null) turnOff({ body, effort, asked }, findings);
  else if (word !== given) {
    findings.change.set.set("reasoning_effort", word);
    findings.note("reasoning_effort");
  }
}

/** The word to send; null where none says it. */
export function wordFor(asked: string, { takes, words, off }: EffortQuirks): string | null {
  const own = words?.get(asked);
  if (own !== undefined) return own;
  if (takes.includes(asked)) return asked;
  if (takes.length === 0 || (asked === "none" && off !== undefined)) return null;
  const rung = LADDER.indexOf(asked);
  // A word that nobody knows is the vendor's to judge.
  if (rung === -1) return asked;
  const rungs = takes.map((word) => ({ word, distance: distanceOf(word, rung) }));
  const [nearest] = rungs.toSorted((a, b) => a.distance - b.distance);
  return nearest?.word ?? null;
}

/** Not to think at all is farther from a little than its place says. */
function distanceOf(word: string, rung: number): number {
  const place = word === "none" ? -0.5 : LADDER.indexOf(word);
  return Math.abs(place - rung);
}

interface Off {
  readonly body: JsonObject;
  readonly effort: EffortQuirks | null;
  readonly asked: string;
}

function turnOff({ body, effort, asked }: Off, findings: ShapingFindings): void {
  const off = asked === "none" ? effort?.off : undefined;
  for (const [name, value] of Object.entries(off ?? {})) {
    if (!Object.hasOwn(body, name)) findings.change.set.set(name, value);
  }
  leaveOut(findings, off || asked === "none" ? "note" : "lose");
}

function leaveOut(findings: ShapingFindings, how: "note" | "lose"): void {
  findings.change.remove.add("reasoning_effort");
  findings[how]("reasoning_effort");
}

/** The effort that OpenRouter's `reasoning` asks for, where a vendor does not know that member. */
function takeReasoning(members: Members, findings: ShapingFindings): string | null {
  const { body, quirks } = members;
  if (quirks.members.get("reasoning")?.kind !== "refused" || !Object.hasOwn(body, "reasoning")) {
    return null;
  }
  const reasoning = objectOf(body["reasoning"]);
  const word = reasoning["enabled"] === false ? "none" : reasoning["effort"];
  if (typeof word !== "string") {
    dropMember({ ...members, name: "reasoning", takes: null }, findings);
    return null;
  }
  findings.change.remove.add("reasoning");
  findings.note("reasoning");
  return word;
}
