import type { Config } from "../config/schema.ts";
import { memoize, memoizeRecent } from "../lib/memoize.ts";
import { envelopeOf } from "./envelope.ts";
import { isAllowedHost } from "./hosts.ts";
import {
  allowOrigin,
  answerPreflight,
  classifyOrigin,
  isPreflight,
  type OriginKind,
} from "./origins.ts";
import { quoted, type Refusal, refuse } from "./refusal.ts";
import type { RequestIds } from "./request-ids.ts";

export interface FrontDoorDependencies {
  readonly server: () => Config["server"];
  readonly requestIds: RequestIds;
}

/** Most requests name the same host; strangers may name any. */
const MAX_HOSTS = 64;
const isAllowed = memoize((allowed: readonly string[]) =>
  memoizeRecent((host) => isAllowedHost(host, allowed), MAX_HOSTS),
);

/** Everything that happens to every request and answer, whatever the route; wraps the router. */
export function createFrontDoor({ server, requestIds }: FrontDoorDependencies) {
  return async (request: Request, next: (request: Request) => unknown): Promise<Response> => {
    const { allowed_hosts, cors_origins } = server();
    const host = request.headers.get("host");
    const origin = request.headers.get("origin");
    const kind = classifyOrigin(origin, host ?? "", cors_origins);
    const answer =
      host !== null && isAllowed(allowed_hosts)(host)
        ? await passOrigin(request, kind, next)
        : refuse(envelopeOf(request), hostNotAllowed(host));
    if (!(answer instanceof Response)) throw new Error(NO_RESPONSE);
    const { headers } = answer;
    if (kind === "allowed" && origin !== null) allowOrigin(headers, origin);
    if (cors_origins.length > 0) headers.append("vary", "origin");
    headers.set("x-request-id", requestIds.of(request));
    // SDKs of Anthropic show `request-id` in errors and logs, whoever it is from.
    if (request.headers.has("anthropic-version") && !headers.has("request-id")) {
      headers.set("request-id", requestIds.of(request));
    }
    headers.set("x-content-type-options", "nosniff");
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
    return answer;
  };
}

const NO_RESPONSE = "the router answered with something that is no response";

/** What the router makes of a request, or a promise of it: one promise less on the way of every request. */
function passOrigin(
  request: Request,
  kind: OriginKind,
  next: (request: Request) => unknown,
): unknown {
  // A page elsewhere may fire requests it cannot read; only reading ones may come without leave.
  if (kind === "foreign" && request.method !== "GET") {
    return refuse(envelopeOf(request), originNotAllowed(request.headers.get("origin") ?? ""));
  }
  if (kind === "allowed" && isPreflight(request)) return answerPreflight(request);
  return next(request);
}

function hostNotAllowed(host: string | null): Refusal {
  const named = host === null ? "The request names no host." : `Host ${quoted(host)} is not ours.`;
  return {
    code: "host_not_allowed",
    message: `${named} Use a loopback name, or add the name to \`server.allowed_hosts\`.`,
  };
}

function originNotAllowed(origin: string): Refusal {
  return {
    code: "origin_not_allowed",
    message:
      `A page of origin ${quoted(origin)} may not do this. If it is yours, ` +
      "add exactly this origin to `server.cors_origins`.",
  };
}
