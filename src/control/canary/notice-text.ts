import type { CanaryNotice } from "../../health/notices.ts";
import { assertNever } from "../../lib/assert-never.ts";
import type { Log } from "../../telemetry/log.ts";
import type { NoticeText } from "../notification-text.ts";

/** A notice of the canary in words. */
export function canaryText(notice: CanaryNotice): NoticeText {
  switch (notice.kind) {
    case "canary_suspended":
      return {
        title: `${notice.endpoint} is suspended`,
        text: `${notice.endpoint} failed two rounds of the canary in a row (${notice.detail}) and gets no traffic until ${new Date(notice.until_at).toISOString()}, or until two clean rounds.`,
        severity: "warning",
      };
    case "canary_would_suspend":
      return {
        title: `${notice.endpoint} would be suspended`,
        text: `${notice.endpoint} failed two rounds of the canary in a row (${notice.detail}). The canary only observes, so it serves on.`,
        severity: "warning",
      };
    case "canary_floor":
      return {
        title: `${notice.endpoint} fails and has to serve`,
        text: `${notice.endpoint} failed two rounds of the canary in a row (${notice.detail}), but fewer than two other hosts would be left without it.`,
        severity: "critical",
      };
    case "canary_restored":
      return {
        title: `${notice.endpoint} serves again`,
        text: `${notice.endpoint} serves again: ${notice.how}.`,
        severity: "info",
      };
    case "canary_budget":
      return {
        title: "The canary has spent what it may today",
        text: `\`canary.${notice.limit}\` is reached at ${notice.instance}; what it forbids is not asked before midnight, UTC.`,
        severity: "info",
      };
    case "canary_filter_weak":
      return filterText(notice);
    default:
      return assertNever(notice);
  }
}

function filterText({ is_weak, passed }: Of<"canary_filter_weak">): NoticeText {
  if (!is_weak) {
    return {
      title: "The canary can ask about filters again",
      text: "Hosts that are known to filter do so again; who fails the question is blamed for it.",
      severity: "info",
    };
  }
  return {
    title: "The canary learns nothing about filters now",
    text: `Hosts that are known to filter let its question through (${passed.join(", ")}). Until they filter again it blames nobody for filtering and clears nobody; see that \`canary.controls\` still names hosts that do.`,
    severity: "warning",
  };
}

type Of<Kind extends CanaryNotice["kind"]> = Extract<CanaryNotice, { kind: Kind }>;

/** How the log says each, and how loudly. */
const LINES = {
  canary_suspended: ["warn", "the canary keeps traffic from an endpoint"],
  canary_would_suspend: ["warn", "the canary would keep traffic from an endpoint"],
  canary_floor: ["error", "an endpoint fails its probes, and too few others are left"],
  canary_restored: ["info", "an endpoint serves again"],
  canary_budget: ["warn", "the canary has spent what it may today"],
  canary_filter_weak: ["warn", "the question about filters has changed its worth"],
} as const satisfies Record<CanaryNotice["kind"], readonly ["info" | "warn" | "error", string]>;

export function logCanaryNotice(
  log: Pick<Log, "info" | "warn" | "error">,
  { kind, ...fields }: CanaryNotice,
): void {
  const [level, words] = LINES[kind];
  log[level](fields, words);
}
