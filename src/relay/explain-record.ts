import type { Decision } from "../routing/decision.ts";
import type { Run } from "./run.ts";

/**
 * The whole decision as one comment of a stream, for a client that asked for it, else nothing. JSON
 * text holds no line break.
 */
export function explainComment({ request, entry }: Run): string {
  return request.debug ? `: veriroute-explain ${JSON.stringify(entry.decision)}\n\n` : "";
}

const LOST = "lossy:";
const FITTED = "fitted:";
/** The members of a request that its target was not told, or was told otherwise. */
export function lostIn({ edits }: Decision): string[] {
  const lost = edits.filter((edit) => edit.startsWith(LOST)).map((edit) => edit.slice(LOST.length));
  const fitted = edits
    .filter((edit) => edit.startsWith(FITTED))
    .map((edit) => `${edit.slice(FITTED.length)} (changed)`);
  return [...lost, ...fitted];
}

/** Just before the first content of a stream whose headers went out early. */
export function servedComment(decision: Decision): string {
  const { served: target, attempts, pool } = decision;
  const warnings = lostIn(decision);
  const served = { target, attempts: attempts.length, pool };
  const told = warnings.length > 0 ? { ...served, warnings } : served;
  return `: veriroute ${JSON.stringify(told)}\n\n`;
}

/** The `veriroute` member of a non-streamed answer. */
export function routerMember(decision: Decision, debug: boolean): string {
  const { id, asked, served, pool, lane, attempts } = decision;
  const member = {
    decision_id: id,
    asked,
    served,
    pool,
    lane,
    attempts: attempts.length,
    // Neither exists yet: requests leave their pool or explore only where a profile will allow it.
    fallback: false,
    explored: false,
  };
  return JSON.stringify(debug ? { ...member, explain: decision } : member);
}
