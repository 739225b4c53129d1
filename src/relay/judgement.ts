import type { Target } from "../address/target.ts";
import type { Observation } from "../health/trips/observation.ts";
import type { Attempt } from "../routing/decision.ts";
import { fault, type Verdict } from "../verify/verdict.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";

/** A verdict on an answer, with what tells how much it says of encodings. */
export interface Judgement extends Pick<Observation, "ascii"> {
  readonly verdict: Verdict;
  /** It says nothing at all, in none of its choices. */
  readonly is_empty: boolean;
}

/** The judgement on what never came to say anything. */
export const SAID_NOTHING: Judgement = {
  verdict: { ...fault("malformed", "target", "empty response"), signature: "empty_200" },
  is_empty: true,
  ascii: { prompt: false, answer: false },
};

/** The judgement on an answer that was given up for its start. */
export function judgedByStart(verdict: Verdict): Judgement {
  return { verdict, is_empty: false, ascii: { prompt: false, answer: false } };
}

/** How an answer that reached the client is recorded: to the client none of these is a failure. */
export type AnsweredKind = "ok" | "refusal" | OutputFault;

/** What is wrong with the output of a call that went well. */
export type OutputFault = "malformed_empty" | "mangled" | "bad_output";

/** Another target should have answered, unless its signature is one that is `ignored`; null if none should. */
export function outputFault(
  { verdict, is_empty }: Judgement,
  ignored: ReadonlySet<string>,
): OutputFault | null {
  const { trips, attributable, signature } = verdict;
  if (!trips || !attributable || ignored.has(signature ?? "")) return null;
  if (is_empty) return "malformed_empty";
  return verdict.verdict === "mangled" ? "mangled" : "bad_output";
}

/** What is recorded of the judgement on an attempt. */
export interface Settled {
  readonly verification: Attempt["verification"];
  /** When the trip rule counted it, epoch ms; null if it did not. */
  readonly applied_at: number | null;
}

interface JudgedAttempt {
  readonly run: Run;
  readonly target: Target;
  /** Epoch ms. */
  readonly started_at: number;
  readonly judgement: Judgement;
}

/** Hands the judgement on an attempt to the trip rule; once, at the attempt's end. */
export function settle(
  { clock, health, hashSession }: Pick<RelayDependencies, "clock" | "health" | "hashSession">,
  { run: { request, stream }, target, started_at, judgement }: JudgedAttempt,
): Settled {
  const { verdict, ascii } = judgement;
  // Asked only of bad answers: one client that repeats itself is one witness.
  const origin = verdict.trips ? hashSession(originOf(request)) : null;
  const about = { target, verdict, stream, ascii, started_at, origin };
  const isCounted = health.signatures.observe(about);
  return { verification: verificationOf(verdict), applied_at: isCounted ? clock.now() : null };
}

export const UNJUDGED: Settled = { verification: null, applied_at: null };

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
