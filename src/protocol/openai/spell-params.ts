import type { Dialect } from "../dialect.ts";
import { isObject, type JsonObject, objectOf } from "./fields.ts";
import { SPELLED, UNTOLD } from "./param-spellings.ts";

export interface SpelledParam {
  readonly member: string;
  readonly inner: string | null;
  readonly value: unknown;
}

/** Parameters of specs and profiles in the words of one dialect, less what the body says itself. */
export interface SpelledParams {
  readonly params: readonly SpelledParam[];
  /** Names, as in chat, of those that the dialect does not have. */
  readonly lost: readonly string[];
  /** How much the model is to think is among them: a word of the router, not of the model. */
  readonly has_effort: boolean;
}

const NOTHING: SpelledParams = { params: [], lost: [], has_effort: false };

/**
 * Parameters, which are named as in chat, as a body of the dialect says them. One that the router knows
 * goes only where the dialect has it; one that it does not know, such as a vendor's own, goes as written.
 */
export function spellParams(
  dialect: Dialect,
  given: Readonly<Record<string, unknown>>,
  body: JsonObject,
): SpelledParams {
  const named = Object.entries(given);
  // Most targets have none.
  if (named.length === 0) return NOTHING;
  const params: SpelledParam[] = [];
  const lost: string[] = [];
  let has_effort = false;
  for (const [name, value] of named) {
    const spelled = spell(dialect, name, value);
    if (spelled === null || isBarred(dialect, name, body)) {
      if (!Object.hasOwn(body, name)) lost.push(name);
    } else if (isFree(spelled, body) && !params.some(({ member }) => member === spelled.member)) {
      params.push(spelled);
      has_effort ||= isEffort(name);
    }
  }
  return { params, lost, has_effort };
}

/** The body with its parameters, for whoever has to see what is going to be sent. */
export function withParams(body: JsonObject, { params }: SpelledParams): JsonObject {
  if (params.length === 0) return body;
  const added = params.map(({ member, inner, value }) => [
    member,
    inner === null ? value : { ...objectOf(body[member]), [inner]: value },
  ]);
  return { ...body, ...Object.fromEntries(added) };
}

/** What the router itself decides; a parameter never touches it. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "model",
  "stream",
  "messages",
  "system",
  "input",
  "instructions",
  "prompt",
  "veriroute",
]);

function spell(dialect: Dialect, name: string, value: unknown): SpelledParam | null {
  if (dialect === "messages" && isEffort(name) && value === "none") return THINKING_OFF;
  const known = SPELLED[dialect].get(name);
  if (known === undefined) {
    return UNTOLD[dialect].has(name) ? null : { member: name, inner: null, value };
  }
  const spelled = known.value(value);
  return spelled === undefined ? null : { ...known, value: spelled };
}

/** The client did not say it, nor anything in its place. */
function isFree({ member, inner }: SpelledParam, body: JsonObject): boolean {
  if (OWN_MEMBERS.has(member)) return false;
  if (!Object.hasOwn(body, member)) return true;
  const own = body[member];
  return inner !== null && isObject(own) && !Object.hasOwn(own, inner);
}

const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p", "top_k"]);

/** Anthropic refuses sampling beside thinking, which here is the client's own wish. */
function isBarred(dialect: Dialect, name: string, { thinking }: JsonObject): boolean {
  if (dialect !== "messages" || !SAMPLING.has(name)) return false;
  const { type } = objectOf(thinking);
  return type === "enabled" || type === "adaptive";
}

const isEffort = (name: string): boolean => name === "effort" || name === "reasoning_effort";

/** Messages has no such effort, but a switch. */
const THINKING_OFF: SpelledParam = { member: "thinking", inner: null, value: { type: "disabled" } };
