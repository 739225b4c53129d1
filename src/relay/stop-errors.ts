import type { ErrorAnswer } from "./client-response.ts";
import type { Stop } from "./watch.ts";

/** What a client is told where its request was ended from our side, and not by a limit. */
export const STOP_ERRORS: Readonly<Record<Exclude<Stop["kind"], "timeout">, ErrorAnswer>> = {
  // Seen by nobody, but the decision says why there is no answer.
  cancelled: { code: "client_closed_request", message: "the client closed the request" },
  router_shutdown: {
    code: "router_shutdown",
    message: "the router is shutting down; try again in a moment",
    retry_after_ms: 1000,
    should_retry: true,
  },
  router_fault: {
    code: "internal_error",
    message: "the router failed on its own account; its log has the cause under this request's id",
  },
};
