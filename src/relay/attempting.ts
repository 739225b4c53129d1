import { targetKey } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { createWatch, type Stop, type Watch } from "./watch.ts";

/** How an answer that reached the client is recorded: refusals and late empties are no failures to it. */
export interface Answered {
  readonly kind: "ok" | "refusal" | "malformed_empty";
  readonly usage: TokenUsage | null;
}

/** An attempt under way. Exactly one of `succeed`, `fail` and `stop` counts: the first. */
export interface Attempting {
  /** Epoch ms. */
  readonly started_at: number;
  /** Stops the call, and follows its request. */
  readonly watch: Watch;
  /** The upstream's status came. */
  answered(status: number): void;
  firstToken(): void;
  /** The client gets this attempt's answer. */
  serve(): void;
  succeed(answer: Answered): void;
  /** Leaves the target's health alone: a retry may yet put it right. */
  fail(failure: Failure, usage?: TokenUsage | null): void;
  /** Stopped from our side: counts for nobody. */
  stop(stop: Exclude<Stop, { kind: "timeout" }>, usage?: TokenUsage | null): void;
}

/** Starts the record, the limits and the in-flight count of an attempt. */
export function beginAttempt(
  { clock, health }: RelayDependencies,
  { run, candidate, instance, retry }: AttemptInput,
): Attempting {
  const { member } = candidate;
  const target = targetKey(member);
  const record = run.entry.startAttempt({ target, instance: instance.name, retry });
  const release = health.begin(member);
  const watch = createWatch(run.watch);
  const started = clock.elapsed();
  const started_at = clock.now();
  let status: number | null = null;
  let isOver = false;

  if (run.stream) watch.arm("first_token_timeout", instance.timeouts.first_token_ms);
  else watch.arm("response_timeout", instance.timeouts.response_ms);

  function end(kind: string, usage: TokenUsage | null, vendor_code: string | null = null): boolean {
    if (isOver) return false;
    isOver = true;
    watch.end();
    release();
    record.end({ kind, status, vendor_code, usage });
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
    serve: () => run.entry.serve(target),
    succeed({ kind, usage }) {
      const isFirst = end(kind, usage);
      if (isFirst) health.succeed(member, { started_at, latency_ms: clock.elapsed() - started });
    },
    fail(failure, usage = null) {
      status = failure.status ?? status;
      end(failure.kind, usage, failure.vendor_code);
    },
    stop({ kind }, usage = null) {
      end(kind === "router_fault" ? "unknown" : kind, usage);
    },
  };
}
