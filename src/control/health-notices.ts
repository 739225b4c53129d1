import { type HealthNotice, isCanaryNotice } from "../health/notices.ts";
import { assertNever } from "../lib/assert-never.ts";
import type { Log } from "../telemetry/log.ts";
import { logCanaryNotice } from "./canary/notice-text.ts";

/** Writes down what an operator may want to know of. */
export function logNotice(log: Pick<Log, "info" | "warn" | "error">, notice: HealthNotice): void {
  if (isCanaryNotice(notice)) return logCanaryNotice(log, notice);
  switch (notice.kind) {
    case "breaker_opened":
      log.warn(notice.trip, "breaker opened");
      return;
    case "breaker_closed":
      log.info(notice.trip, "breaker closed");
      return;
    case "persistent_failover": {
      const { pool, first_choice, count } = notice;
      log.warn({ pool, first_choice, count }, "the first choice has not served for many requests");
      return;
    }
    case "signature_warning":
      log.warn(fieldsOf(notice), "answers begin to look wrong");
      return;
    case "trip_withheld":
      log.warn(fieldsOf(notice), "answers are wrong, but nothing is benched");
      return;
    case "rig_suspected":
      log.error(fieldsOf(notice), "the router itself may be at fault for mangled text");
      return;
    case "degraded_service":
      log.warn(fieldsOf(notice), "a pool is served by a target whose answers are not trusted");
      return;
    case "runtime":
      if (notice.is_urgent) log.error({}, notice.text);
      else log.info({}, notice.text);
      return;
    case "test":
      return;
    default:
      assertNever(notice);
  }
}

/** The line's own words say what kind it is. */
function fieldsOf(notice: HealthNotice) {
  return Object.fromEntries(Object.entries(notice).filter(([name]) => name !== "kind"));
}
