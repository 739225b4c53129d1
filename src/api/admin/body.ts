import { type TSchema, Type } from "@sinclair/typebox";

import { check, type Checked } from "../check.ts";
import { contentTypeProblem } from "../client-body.ts";
import { bySchema, receive } from "../receive.ts";

/** Admin bodies are short; this keeps a stranger's long one out of memory. */
const LIMIT = { bytes: 64 * 1024, name: "64 KiB, the limit of the admin API" };

export async function adminBody<T extends TSchema>(
  request: Request,
  schema: T,
): Promise<Checked<T>> {
  const body = await receive(request, bySchema(schema), LIMIT);
  return body.kind === "refused" ? body : check(schema, body.parsed);
}

/** For routes whose body may be left out: that is an empty object. */
export async function optionalBody<T extends TSchema>(
  request: Request,
  schema: T,
): Promise<Checked<T>> {
  return hasBody(request) ? adminBody(request, schema) : check(schema, {});
}

function hasBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0;
}

const Nothing = Type.Object({}, { additionalProperties: false });

/** For routes that take no body: an empty one is fine, another kind of content is not. */
export async function noBody(request: Request): Promise<Checked<TSchema>> {
  if (hasBody(request)) return adminBody(request, Nothing);
  const type = request.headers.get("content-type");
  const problem = type === null ? null : contentTypeProblem(type);
  if (problem === null) return { kind: "value", value: {} };
  return { kind: "refused", refusal: { code: "unsupported_media_type", message: problem } };
}
