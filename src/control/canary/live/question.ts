import { type ProbeVerdict, transport } from "../../../canary/contracts/contract.ts";
import { judgeReply } from "../../../canary/contracts/judge-reply.ts";
import { buildProbe, type Probe } from "../../../canary/probes/probe.ts";
import type { ProbeReply } from "../../../canary/probes/reply.ts";
import type { ProbedEndpoint } from "../../../canary/rounds/finish-round.ts";
import type { PlannedEndpoint } from "../../../canary/rounds/plan-round.ts";
import {
  endQuestioning,
  nextQuestion,
  startQuestioning,
  takeVerdict,
} from "../../../canary/rounds/questioning.ts";
import type { EndpointRole } from "../../../canary/rows.ts";
import type { BudgetLimits } from "../../../canary/spending/budget.ts";
import { chargeOf, worstCharge } from "../../../canary/spending/probe-cost.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { CanaryStore } from "../../../store/canary-store.ts";
import type { Log } from "../../../telemetry/log.ts";
import type { LanguageScores } from "../../../verify/language/detector.ts";
import type { Asker } from "./ask.ts";
import { reservedRow, settledRow } from "./probe-rows.ts";
import type { Purse } from "./purse.ts";

export interface QuestioningDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly store: { readonly canary: Pick<CanaryStore, "reserve" | "settle"> };
  readonly asker: Pick<Asker, "ask">;
  readonly purse: Pick<Purse, "take" | "giveBack">;
  readonly log: Pick<Log, "warn">;
  /** Told of every probe that was judged. */
  readonly onProbe: (probe: Probe, verdict: ProbeVerdict) => void;
  readonly onBudget: (instance: string, limit: keyof BudgetLimits) => void;
}

export interface RoundAtWork {
  readonly round_id: string;
  readonly round_n: number;
  readonly scores: LanguageScores;
  readonly signal: AbortSignal;
}

/** After these nothing that is asked next will be answered either. */
const HOPELESS: ReadonlySet<string> = new Set([
  "budget",
  "store",
  "stopped",
  "auth",
  "insufficient_credit",
  "rate_limit",
  "overloaded",
  "model_not_found",
  "network",
  "timeout",
]);

/** Asks an endpoint all that is planned, one question after the other. Never rejects. */
export async function questionEndpoint(
  planned: PlannedEndpoint,
  round: RoundAtWork,
  dependencies: QuestioningDependencies,
): Promise<ProbedEndpoint> {
  let questioning = startQuestioning(planned);
  for (;;) {
    const question = nextQuestion(questioning);
    if (question === null) return endQuestioning(questioning);
    const { topic, attempt } = question;
    const probe = buildProbe(planned.endpoint, topic, { round_n: round.round_n, attempt });
    const { verdict } = await putQuestion(probe, { role: planned.role, round }, dependencies);
    questioning = takeVerdict(questioning, verdict);
    if (verdict.result === "transport" && HOPELESS.has(verdict.reason ?? "")) {
      return endQuestioning(questioning);
    }
  }
}

interface Asked {
  readonly role: EndpointRole;
  readonly round: Omit<RoundAtWork, "round_n">;
}

interface Answered {
  readonly verdict: ProbeVerdict;
  /** Null if nothing was sent, or nobody waited for the answer. */
  readonly reply: ProbeReply | null;
}

/** Sets the money aside, writes that down, asks, judges, and writes down what it came to. */
export async function putQuestion(
  probe: Probe,
  { role, round }: Asked,
  dependencies: QuestioningDependencies,
): Promise<Answered> {
  const { clock, store, asker, purse, log } = dependencies;
  const { signal, round_id, scores } = round;
  if (signal.aborted) return unasked("stopped");
  const { instance } = probe.endpoint;
  const worst = worstCharge(probe);
  const at = clock.now();
  const limit = purse.take({ instance, worst });
  if (limit !== null) {
    dependencies.onBudget(instance, limit);
    return unasked("budget");
  }
  const reserved = reservedRow({ probe, round_id, role, at }, worst);
  try {
    await store.canary.reserve(reserved);
  } catch (error) {
    purse.giveBack({ instance, worst }, { actual: { tokens: 0, usd: 0 }, reserved_at: at });
    log.warn({ error: String(error) }, "a probe could not be written down, so it is not sent");
    return unasked("store");
  }
  const reply = await asker.ask(probe, signal);
  // Whoever was asked may bill it: what was set aside stays so.
  if (signal.aborted) return unasked("stopped");
  const verdict = judge(probe, reply, scores);
  const actual = chargeOf(probe, reply);
  purse.giveBack({ instance, worst }, { actual, reserved_at: at });
  dependencies.onProbe(probe, verdict);
  await store.canary
    .settle(settledRow(reserved, { reply, verdict, actual }))
    .catch((error: unknown) =>
      log.warn({ error: String(error) }, "what a probe came to could not be written down"),
    );
  return { verdict, reply };
}

const unasked = (reason: string): Answered => ({ verdict: transport(reason), reply: null });

function judge(probe: Probe, reply: ProbeReply, scores: LanguageScores): ProbeVerdict {
  return judgeReply(probe, reply, probe.contract === "language" ? scores : null);
}
