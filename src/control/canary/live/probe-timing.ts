import type { Probe } from "../../../canary/probes/probe.ts";
import type { Clock } from "../../../lib/clock.ts";

/** The wall clock went on by so much more than the one that stands still in sleep. */
const SLEPT_MS = 5000;

/** When a probe is given up. */
export interface ProbeTiming {
  /** Ends the call. */
  readonly signal: AbortSignal;
  /** Ends the reading of an answer, which is then judged as far as it has come. */
  readonly reading: AbortSignal;
  /** Ms since it was sent. */
  at(): number;
  /** A status is there. */
  answered(): void;
  /** It shows that it thinks, so that more is to be waited for. */
  reasons(): void;
  /** None came in time. */
  isLate(): boolean;
  /** The machine slept meanwhile, so that no duration means anything. */
  hasSlept(): boolean;
  end(): void;
}

export function createProbeTiming(
  clock: Clock,
  { limits }: Pick<Probe, "limits">,
  signal: AbortSignal,
): ProbeTiming {
  const [began, began_at] = [clock.elapsed(), clock.now()];
  const late = new AbortController();
  const enough = new AbortController();
  const at = () => clock.elapsed() - began;
  let timer = setTimeout(() => late.abort(), limits.status_ms);
  let reasons = false;
  const readUntil = (limit_ms: number) => {
    clearTimeout(timer);
    const left = limit_ms - at();
    if (left <= 0) enough.abort();
    else timer = setTimeout(() => enough.abort(), left);
  };
  return {
    signal: AbortSignal.any([signal, late.signal]),
    reading: AbortSignal.any([signal, enough.signal]),
    at,
    answered: () => readUntil(limits.answer_ms),
    reasons() {
      if (reasons || enough.signal.aborted) return;
      reasons = true;
      readUntil(limits.reasoning_ms);
    },
    isLate: () => late.signal.aborted,
    hasSlept: () => clock.now() - began_at - at() > SLEPT_MS,
    end: () => clearTimeout(timer),
  };
}
