import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../lib/durations.ts";
import { memoize } from "../../lib/memoize.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import type { JsonObject } from "../../protocol/openai/fields.ts";
import type { ClientRequest } from "../../relay/client-request.ts";
import { adminKeyRequired, type Authenticator, keyOf } from "../auth.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { envelopeFor } from "../envelope.ts";
import { type BodyCheck, bodyLimit, receive, type RefusedBody, UNREAD } from "../receive.ts";
import { type Refusal, refuse, statusIn } from "../refusal.ts";
import type { RequestIds } from "../request-ids.ts";
import { BODY_CHECKS, COUNTED_CHECK } from "./body-checks.ts";

export interface ClientRequestDependencies extends Pick<
  ApiDependencies,
  "config" | "relay" | "instance_id"
> {
  readonly auth: Authenticator;
  readonly requestIds: RequestIds;
}

/** What clients send, answered in their dialect whatever happens. */
export interface ClientRequests {
  readonly answer: (request: Request, dialect: Dialect) => Promise<Response>;
  /** How many tokens a Messages request would take. */
  readonly countTokens: (request: Request) => Promise<Response>;
}

const MAX_ASKED_LENGTH = 256;

/** What is done with a request once it is read. */
interface Purpose {
  readonly dialect: Dialect;
  readonly check: BodyCheck;
  readonly carry: (request: ClientRequest) => Promise<Response>;
}

/**
 * Carries an authenticated client request from its headers to the relay. Every refusal on the way
 * leaves a decision, so that a user's report can be tied to it.
 */
export function createClientRequests(dependencies: ClientRequestDependencies): ClientRequests {
  const { config, relay, requestIds } = dependencies;

  function reject(request: Request, dialect: Dialect, refused: RefusedBody): Response {
    const { refusal, parsed } = refused;
    const envelope = envelopeFor(dialect);
    const decision = relay.recordRejected({
      dialect,
      request_id: requestIds.of(request),
      asked: askedModel(parsed),
      stream: parsed["stream"] === true,
      code: refusal.code,
      status: statusIn(envelope, refusal.code),
      key_id: keyOf(dependencies.auth, request.headers).key_id,
    });
    const response = refuse(envelope, refusal);
    response.headers.set("x-veriroute-decision", decision);
    return response;
  }

  async function carry(request: Request, purpose: Purpose): Promise<Response> {
    const { dialect } = purpose;
    const { server } = config.current().config;
    const busy = relay.inFlight() >= server.max_in_flight;
    const refusal = busy ? routerBusy(server.max_in_flight) : headerRefusal(request, dependencies);
    if (refusal) return reject(request, dialect, { refusal, parsed: UNREAD });
    const arrival = relay.arrive();
    try {
      const upload = { silence_ms: silenceMs(server), onStop: arrival.onStop };
      const received = await receive(request, purpose.check, { ...bodyLimit(server), upload });
      if (received.kind === "refused") return reject(request, dialect, received);
      // Not awaited: the relay counts the request from here on.
      return purpose.carry({
        dialect,
        request_id: requestIds.of(request),
        body: received.bytes,
        parsed: received.parsed,
        headers: request.headers,
        ...keyOf(dependencies.auth, request.headers),
        debug: wantsDebug(request.headers),
        signal: request.signal,
      });
    } finally {
      arrival.end();
    }
  }

  return {
    answer: (request, dialect) =>
      carry(request, { dialect, check: BODY_CHECKS[dialect], carry: (read) => relay.handle(read) }),
    countTokens: (request) =>
      carry(request, {
        dialect: "messages",
        check: COUNTED_CHECK,
        carry: (read) => relay.countTokens(read),
      }),
  };
}

const silenceMs = memoize(
  ({ upload_timeout }: Config["server"]): number => parseDuration(upload_timeout) ?? 0,
);

function askedModel({ model }: JsonObject): string {
  return typeof model === "string" ? model.slice(0, MAX_ASKED_LENGTH) : "";
}

function wantsDebug(headers: Headers): boolean {
  return headers.get("x-veriroute-debug") === "1";
}

function routerBusy(limit: number): Refusal {
  return {
    code: "router_busy",
    message:
      `The router has ${limit} requests open, as many as \`server.max_in_flight\` allows. ` +
      "Try again in a second.",
    headers: { "retry-after": "1" },
  };
}

/** What the headers alone rule out, before the body is read. */
function headerRefusal(
  { headers }: Request,
  { auth, instance_id }: ClientRequestDependencies,
): Refusal | undefined {
  if (passedBefore(headers.get("via"), instance_id)) {
    return {
      code: "routing_loop",
      message:
        "This request has passed this router before: one of its providers leads back to it. " +
        "Check `base_url` of the providers.",
    };
  }
  if (wantsDebug(headers) && auth.identify(headers, "admin").kind === "refused") {
    return adminKeyRequired("`x-veriroute-debug`");
  }
  return undefined;
}

/** `via` lists every proxy on the way, each as `[protocol/]version name`; ours is `veriroute/<id>`. */
function passedBefore(via: string | null, instance_id: string): boolean {
  return via !== null && via.split(/[\s,]+/).includes(`veriroute/${instance_id}`);
}
