import type { TObject, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";

import type { ErrorCode } from "../protocol/error-codes.ts";
import { type Envelope, statusIn } from "./refusal.ts";

export const TAGS = {
  client: "What SDKs and harnesses call, in the dialects of OpenAI and Anthropic.",
  routing: "Why a request goes where it goes.",
  fleet: "Providers, targets and pools.",
  health: "What is left out, by whom and why, and ways back.",
  decisions: "What became of each request.",
  configuration: "Values, their sources, and changes at run time.",
  keys: "Keys for clients and admins.",
  runtimes: "GPUs rented from Google Colab.",
  maintenance: "Audit log and retention.",
  operations: "Liveness, readiness, metrics.",
  docs: "This page and its document.",
} as const;

interface Answer {
  /** 200 unless said otherwise. */
  readonly status?: number;
  readonly description: string;
  /** `application/json` unless said otherwise. */
  readonly type?: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof TAGS;
  /** Who may call it once keys exist. */
  readonly scope: "client" | "admin" | "anyone";
  readonly envelope: Envelope;
  readonly writes?: boolean;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: TObject;
  readonly body?: { readonly schema: TSchema; readonly example: unknown };
  readonly answer: Answer;
  /** Other good answers, such as 503 of a readiness probe. */
  readonly others?: readonly Answer[];
  /** Codes beyond those that the guards and the body reader may give on any such route. */
  readonly errors?: readonly ErrorCode[];
}

const BODY_ERRORS = [
  "invalid_json",
  "invalid_request",
  "invalid_body_encoding",
  "body_too_large",
  "unsupported_media_type",
  "unsupported_encoding",
] as const;

/** Every code a caller of the operation may see, without repeats. */
function errorCodes({ scope, writes, body, query, errors = [] }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ["host_not_allowed", "internal_error"];
  if (scope !== "anyone") codes.push("invalid_api_key");
  if (scope === "admin") codes.push("admin_key_required");
  if (body || writes) codes.push("origin_not_allowed");
  if (body) codes.push(...BODY_ERRORS);
  if (query) codes.push("invalid_request");
  return [...new Set([...codes, ...errors])];
}

/** OpenAPI's words for an operation, for the `detail` of its route. */
export function describe(operation: Operation): DocumentDecoration {
  const { summary, description, tag, scope, path = {}, query, body, answer, others } = operation;
  const parameters = [
    ...Object.entries(path).map(([name, text]) => pathParameter(name, text)),
    ...queryParameters(query),
  ];
  return {
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: scope === "anyone" ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      ...Object.fromEntries([answer, ...(others ?? [])].map((one) => answerEntry(one))),
      ...errorResponses(operation),
    },
  };
}

function answerEntry({ status = 200, description, type, schema, example }: Answer) {
  return [
    String(status),
    { description, content: jsonContent({ schema, example }, type) },
  ] as const;
}

function jsonContent(body: { schema: TSchema; example: unknown }, type = "application/json") {
  return { [type]: { schema: body.schema, example: body.example } };
}

function pathParameter(name: string, description: string) {
  return { name, in: "path", required: true, description, schema: { type: "string" as const } };
}

function queryParameters(query: TObject | undefined) {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) ?? false,
    description: schema.description ?? "",
    schema,
  }));
}

/** Names among the document's components. */
const SCHEMAS: Readonly<Record<Envelope, string>> = {
  openai: "OpenAiError",
  responses: "OpenAiError",
  anthropic: "AnthropicError",
  admin: "AdminError",
};

function errorResponses(operation: Operation) {
  const { envelope } = operation;
  const byStatus = Map.groupBy(errorCodes(operation), (code) => statusIn(envelope, code));
  const name = SCHEMAS[envelope];
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(", "),
        content: {
          "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
        },
      },
    ]),
  );
}
