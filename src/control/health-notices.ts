import type { HealthNotice } from "../health/notices.ts";
import { assertNever } from "../lib/assert-never.ts";
import type { Log } from "../telemetry/log.ts";

/** Writes down what an operator may want to know of. */
export function logNotice(log: Pick<Log, "info" | "warn">, notice: HealthNotice): void {
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
    default:
      assertNever(notice);
  }
}
