import { confirm } from "../contracts/confirm.ts";
import type { ProbeVerdict } from "../contracts/contract.ts";
import type { ProbeTopic } from "../probes/probe.ts";
import type { ProbedEndpoint } from "./finish-round.ts";
import type { ContractOutcome } from "./outcome.ts";
import type { PlannedEndpoint } from "./plan-round.ts";

/** How far an endpoint has come in a round: its questions are asked one after the other. */
export interface Questioning {
  readonly planned: PlannedEndpoint;
  readonly outcomes: readonly ContractOutcome[];
  /** On the question that is open, its confirmations included. */
  readonly verdicts: readonly ProbeVerdict[];
}

export interface Question {
  readonly topic: ProbeTopic;
  /** 1, or 2 and 3 for confirmations. */
  readonly attempt: number;
}

export function startQuestioning(planned: PlannedEndpoint): Questioning {
  return { planned, outcomes: planned.settled, verdicts: [] };
}

/** What is to be asked next; null if all is said. */
export function nextQuestion({ planned, outcomes, verdicts }: Questioning): Question | null {
  const topic = planned.topics[outcomes.length - planned.settled.length];
  return topic === undefined ? null : { topic, attempt: verdicts.length + 1 };
}

/**
 * Takes the verdict on the question that is open. A failure is asked about again before the next one,
 * but for a control, of which a failure is what one expects.
 */
export function takeVerdict(questioning: Questioning, verdict: ProbeVerdict): Questioning {
  const { planned, outcomes } = questioning;
  const question = nextQuestion(questioning);
  if (question === null) return questioning;
  const verdicts = [...questioning.verdicts, verdict];
  const confirmed = planned.role === "control" ? decided(verdict) : confirm(verdicts);
  if (confirmed.kind === "ask_again") return { planned, outcomes, verdicts };
  const outcome = { ...question.topic, ...confirmed.verdict };
  return { planned, outcomes: [...outcomes, outcome], verdicts: [] };
}

const decided = (verdict: ProbeVerdict) => ({ kind: "decided", verdict }) as const;

/** The endpoint as `finishRound` takes it; questions that were not asked any more count as not sent. */
export function endQuestioning(questioning: Questioning): ProbedEndpoint {
  const { planned, outcomes } = questioning;
  const { endpoint, role, is_production, topics, settled } = planned;
  const unasked = topics
    .slice(outcomes.length - settled.length)
    .map(({ contract, locale }): ContractOutcome => {
      return { contract, locale, result: "transport", reason: "not_asked" };
    });
  return { endpoint, role, is_production, outcomes: [...outcomes, ...unasked] };
}
