import { Elysia, NotFoundError } from "elysia";

import { StoreError } from "../store/store-error.ts";
import { BAD_CURSOR } from "./admin/list.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { envelopeOf } from "./envelope.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { RequestIds } from "./request-ids.ts";
import { type KnownRoute, refuseUnknown } from "./unknown-route.ts";

interface ErrorDependencies extends Pick<ApiDependencies, "onUnexpected"> {
  readonly requestIds: RequestIds;
  /** Filled once all routes are there. */
  readonly routes: readonly KnownRoute[];
}

/** The one place where something thrown becomes a response; it never repeats what was thrown. */
export const errors = ({ onUnexpected, requestIds, routes }: ErrorDependencies) => {
  /** `path` is as the router matched it. */
  const refusalFor = (error: unknown, request: Request, path: string): Refusal => {
    const { method } = request;
    // By class: the framework's own code is hidden where an error brings a `code` of its own.
    if (error instanceof NotFoundError) return refuseUnknown({ method, path }, routes);
    if (error instanceof StoreError && error.kind === "bad_cursor") return BAD_CURSOR;
    const request_id = requestIds.of(request);
    onUnexpected({ error, request_id, method, path });
    return error instanceof StoreError ? storeUnavailable(error) : unexpected(request_id);
  };
  return new Elysia({ name: "api.errors" }).onError({ as: "global" }, ({ error, request, path }) =>
    refuse(envelopeOf(request), refusalFor(error, request, path)),
  );
};

function storeUnavailable({ kind }: StoreError): Refusal {
  return {
    code: "store_unavailable",
    message: `The database does not answer (\`${kind}\`); routing goes on without it. The log says more.`,
    headers: { "retry-after": "5" },
  };
}

function unexpected(request_id: string): Refusal {
  return {
    code: "internal_error",
    message: `The router failed on its own account. The log has the cause under request id \`${request_id}\`.`,
  };
}
