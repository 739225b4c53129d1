import type {
  ClientRequest,
  Cooldown,
  ExplainRequest,
  RejectedRequest,
  Relay,
  TargetHealth,
} from "../../src/relay/client-request.ts";
import type { Decision } from "../../src/routing/decision.ts";
import type { Plan } from "../../src/routing/plan.ts";

export interface FakeRelay extends Relay {
  readonly handled: ClientRequest[];
  readonly explained: ExplainRequest[];
  readonly rejected: RejectedRequest[];
  /** What the next requests are answered; tests replace these. */
  script: {
    answer: (request: ClientRequest) => Response | Promise<Response>;
    plan: Plan;
    decisions: readonly Decision[];
    health: readonly TargetHealth[];
    cooldowns: readonly Cooldown[];
    inFlight: number;
    onRejected: () => void;
  };
}

const NO_PLAN: Plan = {
  kind: "refuse",
  asked: "auto",
  code: "no_target_available",
  message: "Nothing is configured.",
  param: null,
};

/** A data plane that records what the API hands it. Decision ids count from 1. */
export function fakeRelay(): FakeRelay {
  const handled: ClientRequest[] = [];
  const explained: ExplainRequest[] = [];
  const rejected: RejectedRequest[] = [];
  const script: FakeRelay["script"] = {
    answer: () => Response.json({ ok: true }, { headers: { "x-veriroute-decision": "relayed" } }),
    plan: NO_PLAN,
    decisions: [],
    health: [],
    cooldowns: [],
    inFlight: 0,
    onRejected: () => undefined,
  };
  return {
    handled,
    explained,
    rejected,
    script,
    handle: async (request) => {
      handled.push(request);
      return script.answer(request);
    },
    recordRejected: (request) => {
      const id = `rejected-${rejected.push(request)}`;
      script.onRejected();
      return id;
    },
    explain: async (request) => {
      explained.push(request);
      return script.plan;
    },
    findDecision: (id) => script.decisions.find((decision) => decision.id === id),
    health: () => script.health,
    cooldowns: () => script.cooldowns,
    inFlight: () => script.inFlight,
    shutdown: async () => undefined,
  };
}
