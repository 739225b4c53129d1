import type { CanaryEventKind, SuspensionRow } from "../../../canary/rows.ts";
import type { HealthNotice } from "../../../health/notices.ts";

const TOLD: Partial<
  Readonly<Record<CanaryEventKind, "canary_suspended" | "canary_would_suspend">>
> = { suspended: "canary_suspended", would_suspend: "canary_would_suspend" };

const RESTORED: Partial<Readonly<Record<CanaryEventKind, string>>> = {
  early_restore: "two clean rounds in a row",
  expired: "its time is over",
  operator_lift: "somebody lifted it",
};

/** What a person is told of an event; null for what is none of their business. */
export function noticeOf(event: SuspensionRow): HealthNotice | null {
  const { kind, endpoint, at, until_at } = event;
  const detail = event.detail ?? kind;
  const told = TOLD[kind];
  if (told !== undefined) return { kind: told, endpoint, detail, until_at: until_at ?? at };
  if (kind === "floor_alert") return { kind: "canary_floor", endpoint, detail };
  const how = RESTORED[kind];
  return how === undefined ? null : { kind: "canary_restored", endpoint, detail, how };
}
