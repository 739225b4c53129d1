import type { Fleet } from "../../../canary/ladder/state.ts";
import type { CanaryEventKind, SuspensionRow } from "../../../canary/rows.ts";
import type { CanaryNotice, HealthNotice } from "../../../health/notices.ts";
import type { AuditEntry } from "../../../store/store.ts";

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

interface StrengthChange {
  readonly notice: Extract<CanaryNotice, { kind: "canary_filter_weak" }>;
  readonly audit: AuditEntry;
}

/** What is to be said when the question about filters has become worthless, or worth something again. */
export function strengthChange(
  before: Fleet,
  { strength, last_round_at }: Fleet,
): StrengthChange | null {
  const { is_weak, passed } = strength;
  if (is_weak === before.strength.is_weak) return null;
  return {
    notice: { kind: "canary_filter_weak", is_weak, passed },
    audit: {
      at: last_round_at ?? 0,
      actor: "canary",
      action: is_weak ? "canary.filter_weak" : "canary.filter_strong",
      subject: "canary",
      detail: is_weak ? `let through by ${passed.join(", ")}` : null,
    },
  };
}
