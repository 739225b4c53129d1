import { readableDuration } from "../../lib/durations.ts";
import type { RuntimeView } from "../../runtimes/views.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";

const HEAD = ["NAME", "PHASE", "GPU", "AGE", "COST SO FAR", "IDLE ENDS", "LIFE ENDS", "SERVES"];

/** Runtimes as a table, then every sentence that must not be overlooked. */
export function runtimeTable(views: readonly RuntimeView[], shell: Shell): string {
  const now = shell.clock.now();
  const notices = views.flatMap(({ notice, error }) =>
    notice === null ? [] : [`${notice}${error === null ? "" : `: ${error}`}`],
  );
  return [
    table([HEAD, ...views.map((view) => rowOf(view, now))]),
    ...notices.map((notice) => paint(shell, "red", notice)),
    ...views.flatMap((view) => doubtsOf(view)),
  ].join("\n");
}

function rowOf(view: RuntimeView, now: number): string[] {
  const { name, phase, sku, created_at, idle_deadline, hard_deadline, target } = view;
  const age = created_at === null ? "?" : readableDuration(now - created_at);
  const unwatched = view.watched_by === null && phase !== "unreadable" ? " (unwatched)" : "";
  return [
    name,
    `${phase}${unwatched}`,
    sku ?? "?",
    age,
    shownCost(view),
    leftUntil(idle_deadline, now),
    leftUntil(hard_deadline, now),
    target ?? "not known",
  ];
}

/** `~0.42 CU, 0.04 USD`. */
export function shownCost({
  compute_units,
  cost_usd,
}: Pick<RuntimeView, "compute_units" | "cost_usd">): string {
  if (compute_units === null || cost_usd === null) return "unknown";
  return `~${compute_units.toFixed(2)} CU, ${cost_usd.toFixed(2)} USD`;
}

function leftUntil(at: number | null, now: number): string {
  if (at === null) return "-";
  return at <= now ? "now" : `in ${readableDuration(at - now)}`;
}

function doubtsOf({ name, doubts }: RuntimeView): string[] {
  return doubts.map((doubt) => `${name}: ${doubt}`);
}
