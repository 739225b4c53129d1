import { FAILURE_FACTS } from "../health/failure-facts.ts";
import { finalStatus } from "../health/final-status.ts";
import type { Outcome, Tried } from "./carry-out.ts";
import { clientError } from "./client-error.ts";
import type { ErrorAnswer } from "./client-response.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Benched } from "./next-usable.ts";
import type { Run } from "./run.ts";

/** What a client is told when no candidate gave an answer: the status all of them add up to, and why. */
export function finalError(
  { health, clock }: Pick<RelayDependencies, "health" | "clock">,
  run: Run,
  { tried, benched, larger_window_left }: Extract<Outcome, { kind: "failed" }>,
): ErrorAnswer {
  const met = [...tried, ...benched].map(({ candidate }) => candidate.member);
  const { code, retry_after_ms, should_retry } = finalStatus({
    failures: tried.map(({ failure }) => failure),
    benched: met.flatMap((target) => health.benches(target)),
    larger_window_left,
    now: clock.now(),
  });
  const deciding = tried.findLast(
    ({ failure }) => FAILURE_FACTS[failure.kind].client_code === code,
  );
  const shown = deciding ?? tried.at(-1);
  const said = shown ? clientError(shown.failure, { run, instance: shown.instance }) : null;
  return {
    code,
    retry_after_ms,
    should_retry,
    param: said?.param ?? null,
    message: messageOf({ said: said?.message ?? null, tried, benched }),
    details: { decision_id: run.entry.id, candidates: run.entry.decision.plan.candidates },
  };
}

interface Said {
  readonly said: string | null;
  readonly tried: readonly Tried[];
  readonly benched: readonly Benched[];
}

function messageOf({ said, tried, benched }: Said): string {
  const left = benched.map(
    ({ candidate, reasons }) =>
      `\`${candidate.target}\`: ${reasons.map((reason) => reason.detail ?? reason.code).join(", ")}`,
  );
  if (said === null) {
    return `no target can serve this request now: ${left.join("; ") || "the plan is empty"}`;
  }
  const others = tried.length > 1 ? ` (${tried.length} targets failed)` : "";
  const unused = left.length > 0 ? `; not used: ${left.join("; ")}` : "";
  return `${said}${others}${unused}`;
}
