import { type Edit, type ObjectChange, objectEdits } from "../../json/edit.ts";
import { arrayItems, memberValue, objectMembers, type Span } from "../../json/scan.ts";
import { arrayOf, isObject, type JsonObject, objectOf } from "../fields.ts";
import { calledPart, type PlacedFragment, type ToolCalls } from "./tool-calls.ts";

/** What a fragment needs so that SDKs can read it. */
interface Repair {
  /** JSON text by member of the tool call. */
  readonly set: ReadonlyMap<string, string>;
  readonly remove: ReadonlySet<string>;
  readonly removesName: boolean;
  /** Its `arguments` is no string. */
  readonly quotesArguments: boolean;
}

/** A delta, and where it stands. */
export interface CallDelta {
  readonly delta: JsonObject;
  /** The payload of its chunk, and the delta's span in it; asked for only if something must change. */
  readonly place: () => { readonly payload: Uint8Array; readonly span: Span } | undefined;
}

/**
 * The edits that make the tool calls of one delta readable for SDKs: every fragment has an `index`,
 * the first of a call an `id` and a `type`, which later ones do not repeat, and `arguments` is a
 * string. Updates `calls`.
 */
export function toolCallEdits({ delta, place }: CallDelta, calls: ToolCalls): Edit[] {
  const repairs = arrayOf(delta["tool_calls"]).map((value) => {
    const call = objectOf(value);
    return repairOf(call, calls.place(call));
  });
  if (!repairs.some(isNeeded)) return [];
  const at = place();
  if (!at) return [];
  const list = memberValue(objectMembers(at.payload, at.span.start), "tool_calls");
  const found = list ? arrayItems(at.payload, list.start) : [];
  return found.flatMap((span, position) => {
    const repair = repairs[position];
    return repair && isNeeded(repair) ? editsOf(at.payload, span, repair) : [];
  });
}

function repairOf(call: JsonObject, placed: PlacedFragment): Repair {
  const part = calledPart(call);
  const set = new Map<string, string>();
  const remove = new Set<string>();
  if (call["index"] !== placed.index) set.set("index", String(placed.index));
  if (placed.is_first) {
    if (call["id"] !== placed.id) set.set("id", JSON.stringify(placed.id));
    if (!call["type"] && isObject(call["function"])) set.set("type", '"function"');
  } else {
    // Clients that concatenate would double them.
    if (typeof call["id"] === "string") remove.add("id");
    if (call["type"] === "") remove.add("type");
  }
  const { name, arguments: given } = part;
  return {
    set,
    remove,
    removesName: !placed.is_first && (name === "" || (name !== undefined && name === placed.name)),
    quotesArguments: given !== undefined && typeof given !== "string",
  };
}

function isNeeded({ set, remove, removesName, quotesArguments }: Repair): boolean {
  return set.size > 0 || remove.size > 0 || removesName || quotesArguments;
}

function editsOf(payload: Uint8Array, call: Span, repair: Repair): Edit[] {
  const members = objectMembers(payload, call.start);
  const edits = objectEdits(call.start, members, repair);
  const part = memberValue(members, "function") ?? memberValue(members, "custom");
  if (!part || (!repair.removesName && !repair.quotesArguments)) return edits;
  const inner = objectMembers(payload, part.start);
  const change: ObjectChange = {
    set: repair.quotesArguments
      ? quotedArguments(payload, memberValue(inner, "arguments"))
      : new Map(),
    remove: new Set(repair.removesName ? ["name"] : []),
  };
  return [...edits, ...objectEdits(part.start, inner, change)];
}

/** An object becomes the text it was written as, number spellings included; null becomes nothing. */
function quotedArguments(payload: Uint8Array, span: Span | undefined): Map<string, string> {
  const text = span ? new TextDecoder().decode(payload.subarray(span.start, span.end)) : "null";
  return new Map([["arguments", JSON.stringify(text === "null" ? "" : text)]]);
}
