import type { KeyScope } from "../store/store.ts";
import type { Authenticator } from "./auth.ts";
import { envelopeOf } from "./envelope.ts";
import { refuse } from "./refusal.ts";

/** Runs before a route, after the path was matched: no spelling of a path can get around it. */
export type Guard = (context: { readonly request: Request }) => Response | undefined;

export interface Guards {
  readonly client: Guard;
  readonly admin: Guard;
}

export function createGuards(auth: Authenticator): Guards {
  const guard =
    (scope: KeyScope): Guard =>
    ({ request }) => {
      const identity = auth.identify(request.headers, scope);
      if (identity.kind === "caller") return undefined;
      const envelope = scope === "admin" ? "admin" : envelopeOf(request);
      return refuse(envelope, identity.refusal);
    };
  return { client: guard("client"), admin: guard("admin") };
}
