import { isEffort, type RouteBlock } from "../address/block.ts";
import type { Params } from "../address/target.ts";
import { NO_NOTES } from "./destination.ts";
import { isSet } from "./params.ts";

/** What a `veriroute` block asks for by `effort` and `complexity`. */
export interface BlockEffort {
  /** Null if it asks for nothing. */
  readonly params: Params | null;
  /** Keys that had no say, so that nobody wonders why. */
  readonly notes: readonly string[];
}

const NOTHING: BlockEffort = { params: null, notes: NO_NOTES };

/** A word of `complexity` that names no lane is an effort; the call's own effort comes first. */
export function blockEffort(
  { effort, complexity }: RouteBlock,
  lanes: readonly string[],
  call: object,
): BlockEffort {
  if (effort === undefined && complexity === undefined) return NOTHING;
  const word = complexity !== undefined && isWord(complexity, lanes) ? complexity : undefined;
  const notes: string[] = [];
  if (complexity !== word) {
    notes.push("`veriroute.complexity` has no effect: no lane is configured that reads it");
  } else if (word !== undefined && effort !== undefined) {
    notes.push("`veriroute.complexity` is ignored: `veriroute.effort` comes first");
  }
  const asked = effort ?? word;
  if (asked === undefined) return { params: null, notes };
  if (isSet("effort", call)) {
    const key = effort === undefined ? "complexity" : "effort";
    notes.push(`\`veriroute.${key}\` is ignored: the request's own effort comes first`);
  }
  return { params: { effort: asked }, notes };
}

const isWord = (word: string, lanes: readonly string[]): boolean =>
  isEffort(word) && !lanes.includes(word);
