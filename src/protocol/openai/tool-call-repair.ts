import { type Edit, objectEdits } from "../json/edit.ts";
import { arrayItems, memberValue, objectMembers, type Span } from "../json/scan.ts";
import { arrayOf, type JsonObject, objectOf } from "./fields.ts";

/** The tool calls that one choice of a stream has announced: the id of each index. */
export interface ToolCallState {
  readonly ids: Map<number, string>;
  /** Index of the latest fragment, -1 before the first. */
  last: number;
  /** The vendor gave one index to several calls. */
  isIndexReused: boolean;
}

export function noToolCalls(): ToolCallState {
  return { ids: new Map(), last: -1, isIndexReused: false };
}

interface Repair {
  /** JSON text by member of the tool call. */
  readonly call: Map<string, string>;
  /** JSON text for `function.arguments`, where it must change. */
  readonly arguments: string | undefined;
}

/**
 * The edits that make the tool calls of one delta readable for SDKs: every fragment has an `index`,
 * the first of a call has an `id`, `arguments` is a string. Updates `state`.
 */
export function toolCallEdits(
  payload: Uint8Array,
  {
    delta,
    span,
    state,
    newId,
  }: {
    readonly delta: JsonObject;
    /** Where the delta object stands in `payload`. */
    readonly span: Span;
    readonly state: ToolCallState;
    readonly newId: () => string;
  },
): Edit[] {
  const repairs = arrayOf(delta["tool_calls"]).map((call) =>
    repairOf(objectOf(call), state, newId),
  );
  if (repairs.every(({ call, arguments: text }) => call.size === 0 && text === undefined))
    return [];
  const list = memberValue(objectMembers(payload, span.start), "tool_calls");
  const items = list ? arrayItems(payload, list.start) : [];
  return items.flatMap((item, position) => {
    const repair = repairs[position];
    return repair ? editsOf(payload, item, repair) : [];
  });
}

function repairOf(call: JsonObject, state: ToolCallState, newId: () => string): Repair {
  const id = typeof call["id"] === "string" && call["id"] !== "" ? call["id"] : undefined;
  const name = objectOf(call["function"])["name"];
  const isNamed = typeof name === "string" && name !== "";
  const index = indexOf(call["index"], { id, isNamed, state });
  const repaired = new Map<string, string>();
  if (index !== call["index"]) repaired.set("index", String(index));
  if (!state.ids.has(index)) {
    const given = id ?? newId();
    if (id === undefined) repaired.set("id", JSON.stringify(given));
    state.ids.set(index, given);
  }
  state.last = index;
  return { call: repaired, arguments: argumentsOf(objectOf(call["function"])) };
}

interface Fragment {
  readonly id: string | undefined;
  /** Names its function, as only the first fragment of a call does. */
  readonly isNamed: boolean;
  readonly state: ToolCallState;
}

/**
 * The index a fragment belongs to. A named fragment with an id of its own at another call's index is
 * a new call; without a name it goes on with the old one, since some servers make up an id per
 * fragment.
 */
function indexOf(given: unknown, fragment: Fragment): number {
  const { id, isNamed, state } = fragment;
  const known = [...state.ids].find(([, other]) => other === id)?.[0];
  if (known !== undefined) return known;
  const next = Math.max(-1, ...state.ids.keys()) + 1;
  const isNew = isNamed && id !== undefined;
  if (!isIndex(given)) return isNamed || id !== undefined || state.last < 0 ? next : state.last;
  if (isNew && state.ids.has(given)) {
    state.isIndexReused = true;
    return next;
  }
  return state.isIndexReused && !isNew ? state.last : given;
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function argumentsOf(call: JsonObject): string | undefined {
  if (!("arguments" in call) || typeof call["arguments"] === "string") return undefined;
  if (call["arguments"] === null) return '""';
  return JSON.stringify(JSON.stringify(call["arguments"]));
}

function editsOf(payload: Uint8Array, item: Span, repair: Repair): Edit[] {
  const members = objectMembers(payload, item.start);
  const edits = objectEdits(item.start, members, { set: repair.call, remove: new Set() });
  const call = memberValue(members, "function");
  if (repair.arguments === undefined || !call) return edits;
  const set = new Map([["arguments", repair.arguments]]);
  const inner = objectEdits(call.start, objectMembers(payload, call.start), {
    set,
    remove: new Set(),
  });
  return [...edits, ...inner];
}
