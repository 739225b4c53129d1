import { isTooDeep } from "../../json/nesting.ts";
import { createJsonProgress } from "../../json/progress.ts";
import type { FunctionCall } from "../answer-text.ts";
import { isFilledText, isObject, type JsonObject, objectOf } from "../fields.ts";

/** A tool call that a stream has announced. */
interface Call {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly isFunction: boolean;
  readonly progress: ReturnType<typeof createJsonProgress>;
  /** Arguments so far; undefined once they are more than is kept. */
  said: string | undefined;
}

/** UTF-16 units of arguments that are kept of one call. */
const MAX_KEPT = 1_048_576;

/** Which call a fragment belongs to. */
export interface PlacedFragment {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly is_first: boolean;
}

interface Fragment {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly isFunction: boolean;
  readonly arguments: string;
}

/** Tells the calls of one choice apart, whatever its vendor does with `index`, `id` and `name`. */
export function createToolCalls(newId: () => string) {
  const calls: Call[] = [];
  /** The call last announced under an index, which some vendors give to several. */
  const latestAt = new Map<number, Call>();
  let last: Call | undefined;

  function open({ index, id, name, isFunction }: Fragment): Call {
    const isFree = index !== undefined && calls.every((call) => call.index !== index);
    const call = {
      index: isFree ? index : Math.max(-1, ...calls.map((other) => other.index)) + 1,
      id: id !== undefined && calls.every((other) => other.id !== id) ? id : newId(),
      name: name ?? "",
      isFunction,
      progress: createJsonProgress(),
      said: "",
    };
    calls.push(call);
    if (index !== undefined) latestAt.set(index, call);
    return call;
  }

  return {
    /** Takes in the next fragment of the stream. */
    place(value: JsonObject): PlacedFragment {
      const part = calledPart(value);
      const fragment = readFragment(value, part);
      const { index, id } = fragment;
      const known =
        calls.find((call) => call.id === id) ?? (index === undefined ? last : latestAt.get(index));
      const goesOn = known !== undefined && !isAnother(known, fragment);
      const call = goesOn ? known : open(fragment);
      call.progress.feed(fragment.arguments);
      call.said = joined(call.said, fragment.arguments);
      last = call;
      return { index: call.index, id: call.id, name: call.name, is_first: !goesOn };
    },

    /** There are calls, and the arguments of none broke off. */
    areComplete: (): boolean =>
      calls.length > 0 && calls.every(({ progress }) => progress.state() !== "open"),

    areBroken: (): boolean => calls.some(({ progress }) => progress.state() === "open"),

    functions: (): readonly FunctionCall[] =>
      calls
        .filter(({ isFunction }) => isFunction)
        .map(({ name, said }) => ({ name, arguments: said })),
  };
}

export type ToolCalls = ReturnType<typeof createToolCalls>;

/** The member that says what is called; custom tools have one of their own. */
export function calledPart(call: JsonObject): JsonObject {
  return objectOf(call["function"] ?? call["custom"]);
}

/** What cannot be written counts as arguments that break off. */
const BROKEN_OFF = "{";

/** Arguments as text, though some vendors send the object itself, or null. */
export function argumentsText(part: JsonObject): string {
  const given = part["arguments"] ?? "";
  if (typeof given === "string") return given;
  return isTooDeep(given) ? BROKEN_OFF : JSON.stringify(given);
}

function joined(before: string | undefined, piece: string): string | undefined {
  if (before === undefined || before.length + piece.length > MAX_KEPT) return undefined;
  return before + piece;
}

function readFragment(call: JsonObject, part: JsonObject): Fragment {
  const { index, id } = call;
  const isIndex = typeof index === "number" && Number.isSafeInteger(index) && index >= 0;
  return {
    index: isIndex ? index : undefined,
    id: isFilledText(id) ? id : undefined,
    name: isFilledText(part["name"]) ? part["name"] : undefined,
    isFunction: isObject(call["function"]),
    arguments: argumentsText(part),
  };
}

/**
 * A fragment opens another call if it names a function while the known call can stand alone. Without
 * a name it never does: some servers make up an id per fragment, or repeat one for every call.
 */
function isAnother(known: Call, fragment: Fragment): boolean {
  const { index, id, name } = fragment;
  const state = known.progress.state();
  if (name === undefined || state === "open") return false;
  if (name !== known.name) return true;
  if (state === "complete" && fragment.arguments !== "") return true;
  return (id !== undefined && id !== known.id) || (index !== undefined && index !== known.index);
}
