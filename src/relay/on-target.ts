import { retryDelay } from "../health/failure-facts.ts";
import type { Candidate, Scrutiny } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { attempt, type AttemptInput } from "./attempt.ts";
import type { Failed } from "./blame.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";
import type { Stop } from "./watch.ts";

/** Why no further attempt may begin; null if one may. */
export type HaltedBy = () => Stop | null;

interface OnTarget {
  readonly run: Run;
  readonly candidate: Candidate;
  readonly instance: Instance;
  readonly scrutiny: Scrutiny;
  readonly pinned: boolean;
  readonly haltedBy: HaltedBy;
}

/**
 * One target: the attempt, and for some kinds one more in place, since moving discards a warm cache.
 * Only what the target ends with touches its health: one dead connection benches nobody. A target
 * that is tried although something benched it gets one call, and the decision says so if it serves.
 */
export async function onTarget(
  dependencies: RelayDependencies,
  about: OnTarget,
): Promise<AttemptResult> {
  const { run, candidate, instance, scrutiny, pinned, haltedBy } = about;
  const { clock, health } = dependencies;
  const { member } = candidate;
  const started_at = clock.now();
  if (health.reasons(member, false, run.stream).length > 0) run.entry.degrade();
  const trial = health.claim(member, run.stream);
  if (trial.is_at_clients_expense) run.entry.degrade();
  // The verdict on a stream is known at its end: until then the trial goes on.
  const onOver = trial.is_trial ? () => trial.end() : NOTHING;
  let isStreaming = false;
  try {
    const input = { run, candidate, instance, scrutiny, pinned, onOver, retry: false };
    let result = await attempt(dependencies, input);
    if (result.kind === "failed") {
      const retries = trial.is_trial ? 0 : run.settings.retries;
      result = await again(dependencies, { input, first: result, retries, haltedBy });
    }
    if (result.kind === "failed") health.fail(member, result.failure, { started_at });
    isStreaming = result.kind === "stream" || result.kind === "doubtful";
    return result;
  } finally {
    if (!isStreaming) trial.end();
  }
}

const NOTHING = () => undefined;

interface Again extends Pick<OnTarget, "haltedBy"> {
  readonly input: AttemptInput;
  /** How the first call ended. */
  readonly first: Failed;
  readonly retries: number;
}

/** What a failed call comes to: one more, where that may help and there is time for it, else its failure. */
async function again(
  dependencies: RelayDependencies,
  { input, first, retries, haltedBy }: Again,
): Promise<AttemptResult> {
  const { run, instance, candidate, pinned } = input;
  const call = { run, instance, target: candidate.member, pinned };
  const isLearned = dependencies.learned.learn(first.failure, call);
  if (retries === 0 && !isLearned) return first;
  const delay = isLearned ? 0 : retryDelay(first.failure, dependencies.random);
  if (delay === null || delay >= run.timeLeft()) return first;
  if (delay > 0) await pause(delay, run.watch.signal);
  const stop = haltedBy();
  if (stop && stop.kind !== "timeout") return { kind: "stopped", stop };
  return stop ? first : attempt(dependencies, { ...input, retry: true });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const cutShort = () => resolve();
  signal.addEventListener("abort", cutShort, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", cutShort);
}
