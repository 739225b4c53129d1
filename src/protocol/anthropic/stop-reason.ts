import { repairFinish } from "../openai/finish-reason.ts";

/** Stop reasons of Messages as finish reasons of chat, where the words of other vendors do not cover them. */
const FINISHES: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  // Only tools that run at the vendor pause a turn; no client of chat could go on with it.
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
]);

/** What the calls of an answer have come to. */
export type CallState = "none" | "complete" | "broken";

/** The finish reason for a stop reason; null is an answer that ended without one. */
export function finishOfStop(stop: string | null, calls: CallState): string {
  if (stop === null) return calls === "broken" ? "length" : finishOfStop("end_turn", calls);
  const finish = FINISHES.get(stop) ?? repairFinish(stop, null) ?? "stop";
  // Whatever called nothing has ended its turn, and whatever called must not look as if it had.
  if (finish === "tool_calls" && calls === "none") return "stop";
  return finish === "stop" && calls === "complete" ? "tool_calls" : finish;
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["content_filter", "refusal"],
]);

interface Finish {
  /** As the upstream spelled it; null if it named none. */
  readonly finish: string | null;
  /** Its own word where it is a gateway that tells it. */
  readonly native: unknown;
  readonly calls: CallState;
  readonly is_refused: boolean;
}

/** The stop reason for a finish reason. A cut call stays cut: an agent would run it otherwise. */
export function stopOfFinish({ finish, native, calls, is_refused }: Finish): string {
  const known = finish === null ? null : repairFinish(finish, null);
  const chat = known ?? (calls === "broken" ? "length" : "stop");
  const stop = STOPS.get(finishOfStop(STOPS.get(chat) ?? "end_turn", calls)) ?? "end_turn";
  if (stop === "end_turn" && is_refused) return "refusal";
  const isOwn = typeof native === "string" && FINISHES.get(native) === FINISHES.get(stop);
  return isOwn ? native : stop;
}

/** The word that Messages has for a stop reason of chat or of the dialect itself; others stay as they are. */
export function repairStop(stop: string, calls: CallState): string {
  if (stop === "end_turn" && calls === "complete") return "tool_use";
  const mapped = STOPS.get(stop);
  if (mapped === undefined) return stop;
  return mapped === "end_turn" && calls === "complete" ? "tool_use" : mapped;
}
