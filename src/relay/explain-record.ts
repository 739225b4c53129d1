import type { Decision } from "../routing/decision.ts";

/** The whole decision as one comment line of a stream; JSON text holds no line break. */
export function explainComment(decision: Decision): string {
  return `: veriroute-explain ${JSON.stringify(decision)}\n\n`;
}

/** Just before the first content of a stream whose headers went out early. */
export function servedComment(decision: Decision): string {
  const { served: target, attempts, pool } = decision;
  return `: veriroute ${JSON.stringify({ target, attempts: attempts.length, pool })}\n\n`;
}

/** The `veriroute` member of a non-streamed answer. */
export function routerMember(decision: Decision, debug: boolean): string {
  const { id, asked, served, pool, lane, attempts } = decision;
  const [first] = decision.plan.candidates;
  const member = {
    decision_id: id,
    asked,
    served,
    pool,
    lane,
    attempts: attempts.length,
    fallback: first !== undefined && served !== null && served !== first.target,
    explored: false,
    ...(debug && { explain: decision }),
  };
  return JSON.stringify(member);
}
