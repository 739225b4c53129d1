import { isObject, type JsonObject } from "../openai/fields.ts";
import { wordFor } from "./effort.ts";
import { isHint, isNeutral } from "./member-kinds.ts";
import type { ChatQuirks, EffortQuirks } from "./quirks.ts";
import type { ResponsesLesson } from "./responses-lesson.ts";

interface ForResponses {
  /** What the catalogue knows of the model at its vendor's chat endpoint. */
  readonly quirks: ChatQuirks;
  readonly lesson: ResponsesLesson | undefined;
  /** The client named the target itself. */
  readonly pinned: boolean;
  /** The effort is a parameter of a spec or profile, and so a word of the router. */
  readonly has_effort: boolean;
}

export interface ShapedResponses {
  /** Members that are said otherwise. */
  readonly set: JsonObject;
  readonly remove: readonly string[];
  /** Paths of what is said otherwise without loss. */
  readonly edits: readonly string[];
  /** Paths of what is left out. */
  readonly lossy: readonly string[];
}

/** Facts of the model rather than of the endpoint; whatever else chat has Responses says otherwise. */
const SAMPLING = ["temperature", "top_p"];

/**
 * What of a Responses body must differ for one vendor's model: the effort, and members that it refuses.
 * Null if nothing must.
 * Who names a model itself has its words sent as they are, until the model says otherwise.
 */
export function shapeForResponses(body: JsonObject, to: ForResponses): ShapedResponses | null {
  const found: Found = { set: {}, remove: [], edits: [], lossy: [] };
  const { quirks, lesson, pinned } = to;
  shapeEffort(body, to, found);
  if (!pinned) {
    for (const name of SAMPLING) {
      if (quirks.members.get(name)?.kind === "refused") leaveOut(body, [name], found);
    }
  }
  for (const path of lesson?.refuses ?? []) {
    if (!pinned || isHint(path)) leaveOut(body, path.split("."), found);
  }
  return found.edits.length + found.lossy.length === 0 ? null : found;
}

interface Found {
  readonly set: Record<string, unknown>;
  readonly remove: string[];
  readonly edits: string[];
  readonly lossy: string[];
}

function shapeEffort(body: JsonObject, to: ForResponses, found: Found): void {
  const { reasoning } = body;
  const rule = effortRule(to);
  if (rule === null || !isObject(reasoning)) return;
  const { effort } = reasoning;
  // Models that do not reason refuse the summary with it.
  if (rule.takes.length === 0 && !to.pinned) return leaveOut(body, ["reasoning"], found);
  if (typeof effort !== "string") return;
  const word = wordFor(effort, rule);
  if (word === null) leaveOut(body, ["reasoning", "effort"], found);
  else if (word !== effort) {
    found.set["reasoning"] = { ...reasoning, effort: word };
    found.edits.push("reasoning.effort");
  }
}

function effortRule({ quirks, lesson, pinned, has_effort }: ForResponses): EffortQuirks | null {
  if (lesson?.efforts !== undefined) return { takes: lesson.efforts };
  return pinned && !has_effort ? null : quirks.effort;
}

/** A member of the body, or of one of its members. */
function leaveOut(body: JsonObject, path: readonly string[], found: Found): void {
  const [name = "", inner] = path;
  if (found.remove.includes(name)) return;
  const own = found.set[name] ?? body[name];
  if (inner === undefined) {
    if (!Object.hasOwn(body, name)) return;
    drop(name, found);
  } else {
    if (!isObject(own) || !Object.hasOwn(own, inner)) return;
    const { [inner]: _, ...rest } = own;
    if (Object.keys(rest).length === 0) drop(name, found);
    else found.set[name] = rest;
  }
  const isSilent = inner === undefined && isNeutral(name, own);
  (isSilent ? found.edits : found.lossy).push(path.join("."));
}

function drop(name: string, { set, remove }: Found): void {
  delete set[name];
  remove.push(name);
}
