import { targetKey } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { createJudging, type Judgement } from "./judgement.ts";
import { createWatch, type Stop, type Watch } from "./watch.ts";

/** How an answer that reached the client is recorded: refusals and late empties are no failures to it. */
export type AnsweredKind = "ok" | "refusal" | "malformed_empty";

/** An attempt under way. Exactly one of `succeed`, `fail` and `stop` counts: the first. */
export interface Attempting {
  /** Epoch ms. */
  readonly started_at: number;
  /** Stops the call, and follows its request. */
  readonly watch: Watch;
  /** The upstream's status came. */
  answered(status: number): void;
  firstToken(): void;
  /** What the upstream counted so far; whoever is answered in the end, it is charged. */
  used(usage: TokenUsage | null): void;
  /** What the output was found to be; to be said before the attempt is over, else nothing is known. */
  judged(judgement: Judgement): void;
  /** The client gets this attempt's answer. */
  serve(): void;
  succeed(kind: AnsweredKind): void;
  /** Leaves the target's health alone: a retry may yet put it right. */
  fail(failure: Failure): void;
  /** Stopped from our side: counts for nobody. */
  stop(stop: Exclude<Stop, { kind: "timeout" }>): void;
}

/** Starts the record, the limits and the in-flight count of an attempt. */
export function beginAttempt(
  dependencies: RelayDependencies,
  { run, candidate, instance, retry, onOver }: AttemptInput,
): Attempting {
  const { clock, health } = dependencies;
  const { member } = candidate;
  const target = targetKey(member);
  const record = run.entry.startAttempt({ target, instance: instance.name, retry });
  const release = health.begin(member);
  const watch = createWatch(run.watch);
  const started = clock.elapsed();
  const started_at = clock.now();
  const judging = createJudging(dependencies, { run, target: member, started_at });
  let status: number | null = null;
  let usage: TokenUsage | null = null;
  let isOver = false;

  if (run.stream) watch.arm("first_token_timeout", instance.timeouts.first_token_ms);
  else watch.arm("response_timeout", instance.timeouts.response_ms);

  function end(kind: string, vendor_code: string | null = null): boolean {
    if (isOver) return false;
    isOver = true;
    watch.end();
    release();
    record.end({ kind, status, vendor_code, usage, ...judging.settle() });
    onOver();
    return true;
  }

  return {
    started_at,
    watch,
    answered(answer) {
      status = answer;
    },
    firstToken() {
      record.firstToken();
      health.responds(member, { started_at });
    },
    used(counted) {
      usage = counted ?? usage;
    },
    judged: (judgement) => judging.judged(judgement),
    serve: () => run.entry.serve(target),
    succeed(kind) {
      judging.presume(kind === "malformed_empty" ? "empty" : "clean");
      if (!end(kind)) return;
      health.succeed(member, { started_at, latency_ms: clock.elapsed() - started });
    },
    fail(failure) {
      status = failure.status ?? status;
      if (failure.kind === "malformed_empty") judging.presume("empty");
      end(failure.kind, failure.vendor_code);
    },
    stop({ kind }) {
      end(kind === "router_fault" ? "unknown" : kind);
    },
  };
}
