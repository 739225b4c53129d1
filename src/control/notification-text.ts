import type { Trip } from "../health/breaker.ts";
import { type CanaryNotice, type HealthNotice, isCanaryNotice } from "../health/notices.ts";
import { assertNever } from "../lib/assert-never.ts";
import { canaryText } from "./canary/notice-text.ts";

export type Severity = "info" | "warning" | "critical";

/** A notice in words. Holds names from the config and our own words only, never text of a request. */
export interface NoticeText {
  readonly title: string;
  readonly text: string;
  readonly severity: Severity;
}

export function noticeText(notice: HealthNotice): NoticeText {
  return isCanaryNotice(notice) ? canaryText(notice) : textOf(notice);
}

function textOf(notice: Exclude<HealthNotice, CanaryNotice>): NoticeText {
  switch (notice.kind) {
    case "breaker_opened":
      return tripText(notice.trip);
    case "breaker_closed":
      return {
        title: `${notice.trip.subject} is back`,
        text: `${notice.trip.subject} serves again after ${notice.trip.cause}.`,
        severity: "info",
      };
    case "persistent_failover":
      return {
        title: `${notice.first_choice} does not serve`,
        text: `${notice.count} requests in a row of pool ${notice.pool} were served by another target than its first choice, ${notice.first_choice}.`,
        severity: "warning",
      };
    case "signature_warning":
      return {
        title: `${notice.subject} begins to answer wrongly`,
        text: `${notice.signature} at ${notice.subject}: ${notice.detail}. Nothing is benched.`,
        severity: "info",
      };
    case "trip_withheld":
      return {
        title: `${notice.subject} answers wrongly and is not benched`,
        text: `${notice.signature} at ${notice.subject} is proven, but nothing is benched: ${WITHHELD[notice.why]}.`,
        severity: "warning",
      };
    case "rig_suspected":
      return {
        title: "The router itself may be at fault",
        text: rigText(notice),
        severity: "critical",
      };
    case "degraded_service":
      return {
        title: `Pool ${notice.pool} is degraded`,
        text: `Pool ${notice.pool} has nothing left but ${notice.target}, which is not trusted: ${notice.detail}.`,
        severity: "critical",
      };
    case "runtime":
      return {
        title: notice.is_urgent ? "A rented GPU may still be billing" : "A rented GPU",
        text: notice.text,
        severity: notice.is_urgent ? "critical" : "info",
      };
    case "test":
      return { title: "veriroute", text: "This receiver can be reached.", severity: "info" };
    default:
      return assertNever(notice);
  }
}

const WITHHELD = {
  observing: "the verifier only observes",
  ignored: "the configuration ignores this signature",
  muted: "an operator muted it",
  rig_suspected: "the router itself may be at fault",
} as const;

function rigText({ signature, instances }: Extract<HealthNotice, { kind: "rig_suspected" }>) {
  if (instances.length > 1) {
    return `${signature} appeared at ${instances.join(" and ")} within minutes. Unrelated providers seldom break at once, so nothing is benched for it.`;
  }
  const [where = "its own test text"] = instances;
  return `The router's own decoding broke characters of ${where} (${signature}). Please report it; no provider is benched for broken encodings while its self-test fails.`;
}

function tripText({ subject, scope, cause, detail, reopened, until_at }: Trip): NoticeText {
  const whole = scope === "provider" ? "All of " : "";
  const again = reopened === 0 ? "" : `, for the ${reopened + 1}. time`;
  const until = new Date(until_at).toISOString();
  return {
    title: `${subject} is benched`,
    text: `${whole}${subject} is benched${again}: ${cause}, ${detail}. It may be tried again from ${until}.`,
    severity: "warning",
  };
}
