import type { KeyScope } from "../store/store.ts";
import type { Authenticator } from "./auth.ts";
import { type Envelope, refuse } from "./refusal.ts";

/** Runs before a route, after the path was matched: no spelling of a path can get around it. */
export type Guard = (context: { readonly request: Request }) => Response | undefined;

export interface Guards {
  readonly client: Guard;
  readonly admin: Guard;
}

export function createGuards(auth: Authenticator): Guards {
  const guard =
    (scope: KeyScope, envelope: Envelope): Guard =>
    ({ request }) => {
      const identity = auth.identify(request.headers, scope);
      return identity.kind === "refused" ? refuse(envelope, identity.refusal) : undefined;
    };
  return { client: guard("client", "openai"), admin: guard("admin", "admin") };
}
