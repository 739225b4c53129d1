import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";

import type { Config } from "../config/schema.ts";
import { memoize, once } from "../lib/memoize.ts";
import { parseSize } from "../lib/sizes.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import { STOP_ERRORS } from "../relay/stop-errors.ts";
import { check } from "./check.ts";
import { type BodyLimit, type Bytes, readBody } from "./client-body.ts";
import { parseObject } from "./json-object.ts";
import type { Refusal } from "./refusal.ts";

/** A refusal with what is known of the body by then. */
export interface RefusedBody {
  readonly refusal: Refusal;
  readonly parsed: JsonObject;
}

export type Received =
  | { readonly kind: "body"; readonly bytes: Bytes; readonly parsed: JsonObject }
  | ({ readonly kind: "refused" } & RefusedBody);

/** What is known of a body that could not be read. */
export const UNREAD: JsonObject = {};

export const bodyLimit = memoize(({ max_body }: Config["server"]): BodyLimit => {
  return { bytes: parseSize(max_body) ?? 0, name: `\`server.max_body\` (${max_body})` };
});

/** What is wrong with a parsed body; null if it will do. */
export type BodyCheck = (parsed: JsonObject) => Refusal | null;

/** Whether a body fits a schema. */
export function bySchema(schema: TSchema): BodyCheck {
  const compiled = once(() => TypeCompiler.Compile(schema));
  return (parsed) => {
    if (compiled().Check(parsed)) return null;
    // Only this one can say what is wrong.
    const checked = check(schema, parsed);
    return checked.kind === "refused" ? checked.refusal : null;
  };
}

/** Reads, decodes, parses and checks a JSON body, keeping its bytes for whoever sends them on. */
export async function receive(
  request: Request,
  checkBody: BodyCheck,
  limit: BodyLimit,
): Promise<Received> {
  const body = await readBody(request, limit);
  if (body.kind === "gone") return { kind: "refused", refusal: CLIENT_LEFT, parsed: UNREAD };
  if (body.kind === "stopped") {
    return { kind: "refused", refusal: GIVEN_UP[body.by], parsed: UNREAD };
  }
  if (body.kind === "refused") return { ...body, parsed: UNREAD };
  const object = parseObject(body.bytes);
  if (object.kind === "refused") return { ...object, parsed: UNREAD };
  const { parsed, bytes } = object;
  const refusal = checkBody(parsed);
  return refusal ? { kind: "refused", refusal, parsed } : { kind: "body", bytes, parsed };
}

/** The rest of the body may still come, so the connection ends with these. */
const GIVEN_UP: Readonly<Record<"silence" | "router", Refusal>> = {
  silence: {
    code: "upload_timeout",
    message:
      "The request body stopped coming before it was complete. Send the request again; " +
      "`server.upload_timeout` says how long the router waits.",
    headers: { connection: "close" },
  },
  router: {
    code: STOP_ERRORS.router_shutdown.code,
    message: STOP_ERRORS.router_shutdown.message,
    headers: { connection: "close", "retry-after": "1" },
  },
};

/** Seen by nobody, but the decision of the request says why it has no answer. */
const CLIENT_LEFT: Refusal = {
  code: "client_closed_request",
  message: "The client left before its request was complete.",
};
