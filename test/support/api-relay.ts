import type { Subject } from "../../src/health/scope.ts";
import type {
  BreakerView,
  ClientRequest,
  Cooldown,
  ExplainRequest,
  RejectedRequest,
  Relay,
  TargetLoad,
} from "../../src/relay/client-request.ts";
import type { Decision } from "../../src/routing/decision.ts";
import type { Plan } from "../../src/routing/plan.ts";

export interface FakeRelay extends Relay {
  readonly handled: ClientRequest[];
  readonly explained: ExplainRequest[];
  readonly rejected: RejectedRequest[];
  /** Subjects whose health was cleared. */
  readonly cleared: Subject[];
  /** Subjects and signatures whose trips were lifted. */
  readonly lifted: (readonly [subject: string, signature: string | null])[];
  /** What the next requests are answered; tests replace these. */
  script: {
    answer: (request: ClientRequest) => Response | Promise<Response>;
    plan: Plan;
    decisions: readonly Decision[];
    loads: readonly TargetLoad[];
    cooldowns: readonly Cooldown[];
    breakers: readonly BreakerView[];
    suspicions: ReturnType<Relay["suspicions"]>;
    cleared: ReturnType<Relay["clearHealth"]>;
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
  const cleared: Subject[] = [];
  const lifted: FakeRelay["lifted"] = [];
  let arriving = 0;
  const script: FakeRelay["script"] = {
    answer: () => Response.json({ ok: true }, { headers: { "x-veriroute-decision": "relayed" } }),
    plan: NO_PLAN,
    decisions: [],
    loads: [],
    cooldowns: [],
    breakers: [],
    suspicions: [],
    cleared: { cooldowns: 0, breakers: 0 },
    inFlight: 0,
    onRejected: () => undefined,
  };
  return {
    handled,
    explained,
    rejected,
    cleared,
    lifted,
    script,
    arrive: () => {
      arriving += 1;
      return { onStop: () => undefined, end: () => void (arriving -= 1) };
    },
    handle: async (request) => {
      handled.push(request);
      return script.answer(request);
    },
    countTokens: async (request) => {
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
    loads: () => script.loads,
    cooldowns: () => script.cooldowns,
    breakers: () => script.breakers,
    suspicions: () => script.suspicions,
    tripSignature: ({ scope, subject }, signature, detail) => {
      const about = { scope, subject, cause: `signature:${signature}`, detail };
      return { ...about, opened_at: 0, until_at: 60_000, reopened: 0 };
    },
    clearSignature: (subject, signature) => {
      lifted.push([subject.subject, signature]);
      return script.cleared.breakers;
    },
    clearHealth: (subject) => {
      cleared.push(subject);
      return script.cleared;
    },
    inFlight: () => script.inFlight + arriving,
    shutdown: async () => undefined,
  };
}
