import type { Reason } from "../../routing/plan.ts";
import { INSTANCES } from "./fleet.ts";
import type { Sent } from "./traffic.ts";

/** A target left out of routing, and why. */
export interface Benched {
  readonly target: string;
  readonly reasons: readonly Reason[];
}

export interface PhaseReport {
  readonly name: string;
  readonly requests: number;
  readonly ok: number;
  /** Answered well after an attempt that failed, with nothing to see for the client. */
  readonly rescued: number;
  readonly client_errors: number;
  /** Answers per instance. */
  readonly served: Readonly<Record<string, number>>;
  /** At the end of the phase. */
  readonly benched: readonly Benched[];
}

export interface DemoReport {
  readonly phases: readonly PhaseReport[];
  /** The decision record of a rescued request; null if none was rescued. */
  readonly explained: unknown;
  readonly requests: number;
  readonly rescued: number;
  readonly client_errors: number;
  /** The instance that went bad was benched, and served again after it was healed. */
  readonly recovered: boolean;
}

export function phaseReport(
  name: string,
  sent: readonly Sent[],
  benched: readonly Benched[],
): PhaseReport {
  const ok = sent.filter((request) => request.ok);
  return {
    name,
    requests: sent.length,
    ok: ok.length,
    rescued: ok.filter(({ attempts }) => attempts > 1).length,
    client_errors: sent.length - ok.length,
    served: Object.fromEntries(
      INSTANCES.map((instance) => [
        instance,
        ok.filter(({ served }) => served === instance).length,
      ]),
    ),
    benched,
  };
}

/** `sick` is the instance the story is about. */
export function demoReport(
  phases: readonly PhaseReport[],
  explained: unknown,
  sick: string,
): DemoReport {
  const sum = (count: (phase: PhaseReport) => number) =>
    phases.reduce((total, phase) => total + count(phase), 0);
  const wasBenched = phases.some(({ benched }) =>
    benched.some(({ target }) => target.startsWith(`${sick}:`)),
  );
  return {
    phases,
    explained,
    requests: sum(({ requests }) => requests),
    rescued: sum(({ rescued }) => rescued),
    client_errors: sum(({ client_errors }) => client_errors),
    recovered: wasBenched && (phases.at(-1)?.served[sick] ?? 0) > 0,
  };
}
