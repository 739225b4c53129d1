import { arrayOf, isFilledText, type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";

const NINE = /^[a-zA-Z0-9]{9}$/;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Spells the ids of tool calls as Mistral takes them: nine letters or digits. An id always becomes the
 * same one, in the call, in its result and in every later turn.
 */
export function spellCallIds(messages: readonly JsonObject[], findings: ShapingFindings): void {
  const places = messages.flatMap(placesOf);
  const spelled = new Map<string, string>();
  const used = new Set(places.map(({ id }) => id).filter((id) => NINE.test(id)));
  for (const { id, path, member } of places) {
    if (NINE.test(id)) continue;
    const short = spelled.get(id) ?? freeId(id, used);
    spelled.set(id, short);
    findings.at(["messages", ...path]).set.set(member, short);
    findings.note("messages.tool_calls.id");
  }
}

interface Place {
  readonly id: string;
  readonly path: readonly (string | number)[];
  readonly member: string;
}

function placesOf(message: JsonObject, index: number): Place[] {
  const calls = arrayOf(message["tool_calls"]).map((call, at) => ({
    id: objectOf(call)["id"],
    path: [index, "tool_calls", at],
    member: "id",
  }));
  const result = { id: message["tool_call_id"], path: [index], member: "tool_call_id" };
  return [...calls, result].flatMap(({ id, ...place }) =>
    isFilledText(id) ? [{ id, ...place }] : [],
  );
}

function freeId(id: string, used: Set<string>): string {
  let text = id;
  let short = nineOf(text);
  while (used.has(short)) {
    text += "+";
    short = nineOf(text);
  }
  used.add(short);
  return short;
}

/** 53 bits of hash in base 62: two halves with constants of their own, so that both must collide. */
function nineOf(text: string): string {
  let rest = halfOf(text, 0x01000193) * 2 ** 21 + (halfOf(text, 0x85ebca6b) >>> 11);
  let spelled = "";
  for (let count = 0; count < 9; count++) {
    spelled = `${DIGITS.charAt(rest % 62)}${spelled}`;
    rest = Math.floor(rest / 62);
  }
  return spelled;
}

function halfOf(text: string, factor: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
