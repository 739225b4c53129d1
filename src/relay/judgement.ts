import type { Target } from "../address/target.ts";
import type { Observation } from "../health/trips/observation.ts";
import type { Attempt } from "../routing/decision.ts";
import { fault, OK, type Verdict } from "../verify/verdict.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";

/** A verdict, with what tells how much it says of encodings. */
export interface Judgement extends Pick<Observation, "ascii"> {
  readonly verdict: Verdict;
}

/** What is recorded of the judgement on an attempt. */
export interface Settled {
  readonly verification: Attempt["verification"];
  /** When the trip rule counted it, epoch ms; null if it did not. */
  readonly applied_at: number | null;
}

/** The judgement on one attempt while it is being made. */
export interface Judging {
  /** The last word counts. */
  judged(judgement: Judgement): void;
  /** What emptiness alone tells; any other word counts more. */
  presume(kind: "clean" | "empty"): void;
  /** Hands the judgement to the trip rule; once, at the end of the attempt. */
  settle(): Settled;
}

interface JudgingParts {
  readonly run: Run;
  readonly target: Target;
  /** Epoch ms. */
  readonly started_at: number;
}

export function createJudging(
  { clock, health, hashSession }: Pick<RelayDependencies, "clock" | "health" | "hashSession">,
  { run: { request, stream }, target, started_at }: JudgingParts,
): Judging {
  let judgement: Judgement | null = null;
  return {
    judged(latest) {
      judgement = latest;
    },
    presume(kind) {
      if (request.dialect !== "embeddings") judgement ??= kind === "empty" ? EMPTY : CLEAN;
    },
    settle() {
      if (judgement === null) return UNJUDGED;
      const { verdict, ascii } = judgement;
      // Asked only of bad answers: one client that repeats itself is one witness.
      const origin = verdict.trips ? hashSession(originOf(request)) : null;
      const about = { target, verdict, stream, ascii, started_at, origin };
      const isCounted = health.signatures.observe(about);
      return { verification: verificationOf(verdict), applied_at: isCounted ? clock.now() : null };
    },
  };
}

const UNJUDGED: Settled = { verification: null, applied_at: null };

/** Where nobody has looked any closer, nothing is known of encodings. */
const UNSEEN = { prompt: false, answer: false };
const CLEAN: Judgement = { verdict: OK, ascii: UNSEEN };
const EMPTY: Judgement = {
  verdict: { ...fault("malformed", "target"), signature: "empty_200" },
  ascii: UNSEEN,
};

function verificationOf(found: Verdict): Attempt["verification"] {
  const { verdict, signature, detail, attributable, trips, scope } = found;
  return { verdict, signature, detail, model_attributable: attributable ? 1 : 0, trips, scope };
}

/** A client and its prompt, to be hashed. */
function originOf({ headers, parsed }: ClientRequest): string {
  const credential = headers.get("authorization") ?? headers.get("x-api-key");
  const { messages, prompt, input } = parsed;
  return JSON.stringify([credential, messages, prompt, input]);
}
