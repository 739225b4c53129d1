import type { DemoRouter, FleetFault, FleetInstance } from "./fleet.ts";
import { MODEL } from "./fleet.ts";
import {
  type Benched,
  type DemoReport,
  demoReport,
  type PhaseReport,
  phaseReport,
} from "./report.ts";
import { drive, type Sent, type Traffic } from "./traffic.ts";

/** Requests per second, in every phase. */
const RATE = 12;
/** The instance the story is about. */
const SICK: FleetInstance = "alpha";

interface Phase {
  readonly name: string;
  /** What is about to happen, for a person who watches. */
  readonly story: string;
  readonly duration_ms: number;
  readonly faults: readonly (readonly [FleetInstance, FleetFault | null])[];
  /** Starts once the sick instance is eligible again. */
  readonly after_recovery?: boolean;
  /** The latest rescued request is explained afterwards. */
  readonly explain?: boolean;
}

const PHASES: readonly Phase[] = [
  {
    name: "all well",
    story: "three providers in one pool; alpha comes first, so alpha answers.",
    duration_ms: 3000,
    faults: [],
  },
  {
    name: "alpha empty",
    story: "four in ten of its answers are a 200 with nothing in it.",
    duration_ms: 4000,
    faults: [[SICK, { model: "empty", params: { rate: 0.4 } }]],
  },
  {
    name: "alpha failing",
    story: "it answers every call with 500.",
    duration_ms: 4000,
    faults: [[SICK, { model: "status", params: { code: 500 } }]],
    explain: true,
  },
  {
    name: "beta silent",
    story: "it accepts requests and says nothing; only gamma is left.",
    duration_ms: 4000,
    faults: [["beta", { model: "stall" }]],
  },
  {
    name: "alpha back",
    story: "both are well again, and the bench of alpha has ended.",
    duration_ms: 4000,
    faults: [
      [SICK, null],
      ["beta", null],
    ],
    after_recovery: true,
  },
];

/** Longest wait for a bench to end; the longest the fleet's faults earn is half of it. */
const RECOVERY_LIMIT_MS = 30_000;
const POLL_MS = 250;

export interface DemoDependencies extends Traffic {
  readonly router: Pick<DemoRouter, "setFault">;
  /** Targets left out now. */
  readonly benched: () => Promise<readonly Benched[]>;
  /** The decision record of a request. */
  readonly decision: (id: string) => Promise<unknown>;
  readonly watcher: Watcher;
}

/** Hears of the demo's progress; prints it, or not. */
export interface Watcher {
  begins(phase: { readonly name: string; readonly story: string }): void;
  waits(reason: string): void;
  ends(report: PhaseReport): void;
  explains(decision: unknown): Promise<void>;
}

/** Plays the phases in turn: a provider goes bad, is benched, explained, and comes back. */
export async function runDemo(dependencies: DemoDependencies): Promise<DemoReport> {
  const { watcher } = dependencies;
  const reports: PhaseReport[] = [];
  const sent: Sent[] = [];
  let explained: unknown = null;
  for (const phase of PHASES) {
    await prepare(phase, dependencies);
    watcher.begins(phase);
    const { name, duration_ms } = phase;
    const load = { per_second: RATE, duration_ms, first: sent.length + 1 };
    const own = await drive(dependencies, load);
    sent.push(...own);
    const report = phaseReport(name, own, await dependencies.benched());
    watcher.ends(report);
    reports.push(report);
    if (phase.explain === true) explained = await explainRescue(sent, dependencies);
  }
  return demoReport(reports, explained, SICK);
}

async function prepare(phase: Phase, dependencies: DemoDependencies): Promise<void> {
  for (const [instance, fault] of phase.faults) {
    dependencies.router.setFault(instance, MODEL, fault);
  }
  if (phase.after_recovery === true) await untilEligible(SICK, dependencies);
}

async function untilEligible(
  instance: FleetInstance,
  { benched, wait, watcher }: DemoDependencies,
): Promise<void> {
  const isBenched = async () =>
    (await benched()).some(({ target }) => target.startsWith(`${instance}:`));
  for (let waited = 0; waited < RECOVERY_LIMIT_MS && (await isBenched()); waited += POLL_MS) {
    if (waited === 0)
      watcher.waits(`${instance} is healed; its bench runs on until its time is up`);
    await wait(POLL_MS);
  }
}

/** A request that failed somewhere and was answered all the same, as the router recorded it. */
async function explainRescue(
  sent: readonly Sent[],
  { decision, watcher }: DemoDependencies,
): Promise<unknown> {
  const rescued = sent.findLast(({ ok, attempts }) => ok && attempts > 1);
  if (rescued === undefined || rescued.decision_id === null) return null;
  const record = await decision(rescued.decision_id);
  await watcher.explains(record);
  return record;
}
