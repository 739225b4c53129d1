import { Gauge, type Registry } from "prom-client";

import type { HealthNotice } from "../health/notices.ts";
import type { Attempt, Decision } from "../routing/decision.ts";
import { createCells } from "./counts.ts";
import type { RoutingEvent } from "./events.ts";

interface VerdictMetrics {
  /** The verdict on an attempt. */
  attempt(event: Extract<RoutingEvent, { kind: "attempt" }>): void;
  /** What became of a request: who was passed over, who was replaced. */
  request(decision: Decision): void;
  readonly notice: (notice: HealthNotice) => void;
  /** Mangled answers of earlier hours, as the store has them. */
  readonly recall: (counts: readonly HourCount[]) => void;
}

export interface HourCount {
  readonly instance: string;
  /** Since the epoch. */
  readonly hour: number;
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Metrics of verdicts and of what follows from them. */
export function verdictMetrics(registry: Registry, now: () => number): VerdictMetrics {
  const verdicts = createCells(registry, {
    name: "veriroute_verdicts_total",
    help: "Judged outputs; `none` where no signature hit.",
    labels: ["instance", "verdict", "signature"],
  });
  const rescues = createCells(registry, {
    name: "veriroute_rescues_total",
    help: "Attempts whose failure the client never saw, because another target answered.",
    labels: ["instance", "kind"],
  });
  const trips = createCells(registry, {
    name: "veriroute_trips_total",
    help: "Openings of breakers, by cause.",
    labels: ["scope", "cause"],
  });
  const skips = createCells(registry, {
    name: "veriroute_skips_total",
    help: "Candidates of plans that were passed over, by the firmest reason.",
    labels: ["instance", "code"],
  });
  const mangled = mangledWarnings(registry, now);
  return {
    attempt({ instance, attempt: { verification } }) {
      if (verification === null) return;
      const { verdict, signature, model_attributable } = verification;
      verdicts(instance, verdict, signature ?? "none").value += 1;
      if (verdict === "mangled" && model_attributable === 1) mangled.add(instance);
    },
    request(decision) {
      for (const { target, kind } of rescuedFrom(decision)) {
        rescues(instanceOf(target), kind).value += 1;
      }
      for (const { target, reasons } of decision.plan.candidates) {
        const [first] = reasons;
        if (first !== undefined) skips(instanceOf(target), first.code).value += 1;
      }
    },
    notice(notice) {
      if (notice.kind !== "breaker_opened") return;
      const { scope, cause } = notice.trip;
      trips(scope, cause).value += 1;
    },
    recall: mangled.recall,
  };
}

/** Attempts that the answer of another target replaced; what came after that answer was no better. */
function rescuedFrom({ attempts, outcome, served }: Decision): readonly Attempt[] {
  if (outcome !== "ok" || attempts.length < 2) return [];
  const answering = attempts.findLastIndex(({ target }) => target === served);
  return attempts.slice(0, Math.max(0, answering)).filter(({ target }) => target !== served);
}

/** An instance's name holds no colon. */
const instanceOf = (target: string): string => target.split(":", 1)[0] ?? target;

/** Counts by instance and hour, of the current hour and the 24 before it. */
function mangledWarnings(registry: Registry, now: () => number) {
  const counts = new Map<string, Map<number, number>>();
  const hourNow = () => Math.floor(now() / HOUR_MS);
  const add = (instance: string, hour: number, count: number) => {
    const hours = counts.get(instance) ?? new Map<number, number>();
    hours.set(hour, (hours.get(hour) ?? 0) + count);
    for (const at of hours.keys()) if (at < hourNow() - DAY_HOURS) hours.delete(at);
    counts.set(instance, hours);
  };
  void new Gauge({
    name: "veriroute_mangled_output_warnings",
    help: "Answers with a broken encoding that is the provider's fault, over the last 24 hours.",
    labelNames: ["instance"],
    registers: [registry],
    collect() {
      for (const [instance, hours] of counts) {
        const recent = [...hours].filter(([hour]) => hour >= hourNow() - DAY_HOURS);
        this.set(
          { instance },
          recent.reduce((sum, [, count]) => sum + count, 0),
        );
      }
    },
  });
  return {
    add: (instance: string) => add(instance, hourNow(), 1),
    recall: (before: readonly HourCount[]) => {
      for (const { instance, hour, count } of before) add(instance, hour, count);
    },
  };
}
