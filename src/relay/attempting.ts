import { targetKey } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { Instance } from "../upstream/instance.ts";
import { answeringHost } from "./answering-host.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { type AnsweredKind, createJudging, type Judgement } from "./judgement.ts";
import type { Run } from "./run.ts";
import { createWatch, type Stop, type Watch } from "./watch.ts";

/** An attempt under way. Exactly one of `succeed`, `reject`, `fail` and `stop` counts: the first. */
export interface Attempting {
  /** Epoch ms. */
  readonly started_at: number;
  /** Stops the call, and follows its request. */
  readonly watch: Watch;
  /** The upstream's status came. */
  answered(status: number): void;
  firstToken(): void;
  /** What the upstream counted so far; whoever is answered in the end, it is charged. */
  readonly used: (usage: TokenUsage | null) => void;
  /** What the answer calls the host that it came from, where it is a gateway's. */
  readonly answeredBy: (name: unknown) => void;
  /** What the output was found to be; to be said before the attempt is over, else nothing is known. */
  judged(judgement: Judgement): void;
  /** The client gets this attempt's answer. */
  serve(): void;
  succeed(kind: AnsweredKind): void;
  /** The call went well, its answer is to be replaced by another target's. */
  reject(failure: Failure): void;
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
  const told = createTold(instance);
  let isOver = false;

  armFirst(watch, run, instance);

  function end(kind: string, vendor_code: string | null = null): boolean {
    if (isOver) return false;
    isOver = true;
    watch.end();
    release();
    record.end({ kind, status, vendor_code, ...told.facts(), ...judging.settle() });
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
    used: told.used,
    answeredBy: told.answeredBy,
    judged: (judgement) => judging.judged(judgement),
    serve: () => run.entry.serve(target),
    succeed(kind) {
      if (!end(kind)) return;
      health.succeed(member, { started_at, latency_ms: clock.elapsed() - started });
    },
    reject({ kind }) {
      if (end(kind)) health.responds(member, { started_at });
    },
    fail(failure) {
      status = failure.status ?? status;
      end(failure.kind, failure.vendor_code);
    },
    stop({ kind }) {
      end(kind === "router_fault" ? "unknown" : kind);
    },
  };
}

/** A stream has its first content within one limit, a whole answer its last byte within another. */
function armFirst(watch: Watch, { stream }: Run, { timeouts }: Instance): void {
  if (stream) watch.arm("first_token_timeout", timeouts.first_token_ms);
  else watch.arm("response_timeout", timeouts.response_ms);
}

/** What the upstream has told of an answer so far. */
function createTold(instance: Instance) {
  let usage: TokenUsage | null = null;
  let host: string | null = null;
  return {
    used: (counted: TokenUsage | null) => void (usage = counted ?? usage),
    answeredBy: (name: unknown) => void (host = answeringHost(instance, name) ?? host),
    facts: () => ({ usage, host }),
  };
}
