import { type Target, targetKey } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import { finishWord } from "../protocol/openai/finish-reason.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { Instance } from "../upstream/instance.ts";
import { answeringHost } from "./answering-host.ts";
import type { AttemptEntry } from "./attempt-entry.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { type AnsweredKind, type Judgement, settle, type Settled, UNJUDGED } from "./judgement.ts";
import type { Run } from "./run.ts";
import { type Stop, Watch } from "./watch.ts";

/** An attempt under way. Exactly one of `succeed`, `reject`, `fail` and `stop` counts: the first. */
export class Attempting {
  /** Epoch ms. */
  readonly started_at: number;
  /** Stops the call, and follows its request. */
  readonly watch: Watch;
  readonly #dependencies: RelayDependencies;
  readonly #input: AttemptInput;
  readonly #record: AttemptEntry;
  readonly #release: () => void;
  readonly #started: number;
  #status: number | null = null;
  #usage: TokenUsage | null = null;
  #host: string | null = null;
  #finish: string | null = null;
  /** What the output was last found to be. */
  #judgement: Judgement | null = null;
  #isOver = false;

  /** Starts the record, the limits and the in-flight count. */
  constructor(dependencies: RelayDependencies, input: AttemptInput) {
    const { clock, health } = dependencies;
    const { run, candidate, instance, retry } = input;
    const target = candidate.member;
    this.started_at = clock.now();
    this.watch = new Watch(run.watch);
    this.#dependencies = dependencies;
    this.#input = input;
    this.#record = run.entry.startAttempt({
      target: targetKey(target),
      instance: instance.name,
      retry,
    });
    this.#release = health.begin(target);
    this.#started = clock.elapsed();
    armFirst(this.watch, run, instance);
  }

  /** The upstream's status came. */
  answered(status: number): void {
    this.#status = status;
  }

  firstToken(): void {
    this.#record.firstToken();
    this.#dependencies.health.responds(this.#target, this);
  }

  /** What the upstream counted so far; whoever is answered in the end, it is charged. */
  used(usage: TokenUsage | null): void {
    this.#usage = usage ?? this.#usage;
  }

  /** How the answer says that it ended, in the upstream's word for it. */
  finished(reason: string | null): void {
    this.#finish = reason;
  }

  /** What the answer calls the host that it came from, where it is a gateway's. */
  readonly answeredBy = (name: unknown): void => {
    this.#host = answeringHost(this.#input.instance, name) ?? this.#host;
  };

  /** What the output was found to be; to be said before the attempt is over, else nothing is known. */
  judged(judgement: Judgement): void {
    this.#judgement = judgement;
  }

  /** The client gets this attempt's answer. */
  serve(): void {
    this.#input.run.entry.serve(targetKey(this.#target));
  }

  succeed(kind: AnsweredKind): void {
    if (!this.#end(kind)) return;
    const { started_at } = this;
    const latency_ms = this.#dependencies.clock.elapsed() - this.#started;
    this.#dependencies.health.succeed(this.#target, { started_at, latency_ms });
  }

  /** The call went well, its answer is to be replaced by another target's. */
  reject({ kind }: Failure): void {
    if (this.#end(kind)) this.#dependencies.health.responds(this.#target, this);
  }

  /** Leaves the target's health alone: a retry may yet put it right. */
  fail({ kind, status, vendor_code }: Failure): void {
    this.#status = status ?? this.#status;
    this.#end(kind, vendor_code);
  }

  /** Stopped from our side: counts for nobody. */
  stop({ kind }: Exclude<Stop, { kind: "timeout" }>): void {
    this.#end(kind === "router_fault" ? "unknown" : kind);
  }

  get #target(): Target {
    return this.#input.candidate.member;
  }

  #settle(): Settled {
    const judgement = this.#judgement;
    if (judgement === null) return UNJUDGED;
    const { started_at } = this;
    const { run } = this.#input;
    return settle(this.#dependencies, { run, target: this.#target, started_at, judgement });
  }

  #end(kind: string, vendor_code: string | null = null): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.watch.end();
    this.#release();
    const { verification, applied_at } = this.#settle();
    this.#record.end({
      kind,
      status: this.#status,
      vendor_code,
      usage: this.#usage,
      host: this.#host,
      finish_reason: finishWord(this.#finish),
      verification,
      applied_at,
    });
    this.#input.onOver();
    return true;
  }
}

/** A stream has its first content within one limit, a whole answer its last byte within another. */
function armFirst(watch: Watch, { stream }: Run, { timeouts }: Instance): void {
  if (stream) watch.arm("first_token_timeout", timeouts.first_token_ms);
  else watch.arm("response_timeout", timeouts.response_ms);
}
