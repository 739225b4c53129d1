import type { Clock } from "../../lib/clock.ts";
import type { AuditEntry, Store } from "../../store/store.ts";
import type { Authenticator } from "../auth.ts";

/** What was done; who and when are known here. Never a secret. */
export type AuditRecord = Pick<AuditEntry, "action" | "subject" | "detail">;

/** Names the caller at once, and gives the function that records what came of it. */
export type Audit = (request: Request) => (record: AuditRecord) => void;

interface AuditDependencies {
  readonly auth: Authenticator;
  readonly clock: Clock;
  readonly store: Store;
}

export function createAudit({ auth, clock, store }: AuditDependencies): Audit {
  return ({ headers }) => {
    const identity = auth.identify(headers, "admin");
    const actor = identity.kind === "caller" ? identity.caller.actor : "anonymous";
    return (record) => store.recordAudit({ at: clock.now(), actor, ...record });
  };
}
