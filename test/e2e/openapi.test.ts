import { afterAll, describe, expect, test } from "bun:test";

import { type Static, Type, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { TAGS } from "../../src/api/describe.ts";
import { errorStatus } from "../../src/protocol/dialect-error.ts";
import { type ErrorCode, ERRORS } from "../../src/protocol/error-codes.ts";
import { ADMIN_KEY, bearer, KEYED, startApi } from "../support/api-server.ts";

const api = await startApi({ toml: KEYED });
afterAll(() => api[Symbol.asyncDispose]());

const Content = Type.Record(
  Type.String(),
  Type.Object({ schema: Type.Unknown(), example: Type.Unknown() }),
);
const Operation = Type.Object({
  summary: Type.String({ minLength: 5, maxLength: 60 }),
  tags: Type.Tuple([Type.String()]),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        in: Type.Union([Type.Literal("path"), Type.Literal("query")]),
        description: Type.String({ minLength: 1 }),
      }),
    ),
  ),
  requestBody: Type.Optional(Type.Object({ content: Content })),
  responses: Type.Record(
    Type.String(),
    Type.Object({
      description: Type.String({ minLength: 1 }),
      content: Type.Record(Type.String(), Type.Object({ schema: Type.Unknown() })),
    }),
  ),
});
type Operation = Static<typeof Operation>;

interface Described {
  readonly name: string;
  readonly operation: Operation;
}

/** Routes that are part of another operation or of the page. */
const HIDDEN = new Set([
  "GET /swagger/json",
  "GET /swagger/ui.css",
  "GET /swagger/ui.js",
  "GET /v1/models/*",
  "DELETE /admin/v1/allowlist/*",
  "GET /v1/routing/explain",
  "POST /anthropic/v1/messages",
  "POST /anthropic/v1/messages/count_tokens",
  "POST /v1/v1/messages",
  "POST /v1/v1/messages/count_tokens",
  "GET /v1/responses",
  "GET /v1/responses/:id",
  "DELETE /v1/responses/:id",
  "GET /v1/responses/:id/input_items",
  "POST /v1/responses/:id/cancel",
]);

/** The later of two routes with the same path is the one that answers. */
const table = new Map(api.routes.map((route) => [`${route.method} ${route.path}`, route.detail]));
const described = [...table]
  .filter(([name]) => !HIDDEN.has(name))
  .map(([name, detail]): Described => {
    const [problem] = [...Value.Errors(Operation, detail)];
    if (Value.Check(Operation, detail)) return { name, operation: detail };
    throw new Error(`${name}${problem?.path}: ${problem?.message}`);
  });

function exampleFits(content: Static<typeof Content>): boolean {
  const parts = Object.values(content);
  return (
    parts.length > 0 &&
    parts.every(({ schema, example }) => TypeGuard.IsSchema(schema) && Value.Check(schema, example))
  );
}

const isGood = (status: string, name: string) =>
  status.startsWith("2") || (name === "GET /health/ready" && status === "503");

const codesOf = (description: string) =>
  [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code);

describe.each(described)("$name", ({ name, operation }) => {
  const { security, requestBody, responses, parameters = [] } = operation;
  const entries = Object.entries(responses);
  const errors = entries.filter(([status]) => !isGood(status, name));
  const allCodes = errors.flatMap(([, { description }]) => codesOf(description));

  test("has examples that fit their schemas", () => {
    const good = entries.filter(([status]) => isGood(status, name));

    expect(good.length).toBeGreaterThan(0);
    for (const [, { content }] of good) {
      expect(Value.Check(Content, content) && exampleFits(content)).toBe(true);
    }
    if (requestBody) expect(exampleFits(requestBody.content)).toBe(true);
  });

  test("lists its error codes under the statuses they come with", () => {
    const wrong = errors.flatMap(([status, { description }]) =>
      codesOf(description).filter((code) => statusOf(code, name) !== Number(status)),
    );

    expect(wrong).toEqual([]);
    expect(allCodes).toContain("internal_error");
  });

  test("says who may call it", () => {
    const open = name.startsWith("GET /health/");

    expect(security).toEqual(open ? [] : [{ bearer: [] }, { apiKey: [] }]);
    expect(allCodes.includes("invalid_api_key")).toBe(!open);
    expect(allCodes.includes("admin_key_required")).toBe(
      / \/(admin|metrics|swagger)/.test(name) || isGeneration(name),
    );
    expect(allCodes.includes("origin_not_allowed")).toBe(!name.startsWith("GET "));
  });

  test("describes the parameters of its path", () => {
    const named = parameters.filter((one) => one.in === "path").map((one) => one.name);

    expect(named).toEqual([...name.matchAll(/:(\w+)/g)].map(([, param = ""]) => param));
  });
});

function isGeneration(name: string): boolean {
  return /^POST \/v1\/(chat\/completions|completions|embeddings|messages|messages\/count_tokens|responses)$/.test(
    name,
  );
}

function statusOf(code: string, name: string): number | undefined {
  const known = Object.keys(ERRORS).find((one): one is ErrorCode => one === code);
  if (known === undefined) return undefined;
  if (name.startsWith("POST /v1/messages")) return errorStatus("messages", known);
  return errorStatus(name === "POST /v1/responses" ? "responses" : "chat", known);
}

test("the document has every operation of the router's own table, and nothing else", async () => {
  const answer = await api.call("/swagger/json", { headers: bearer(ADMIN_KEY) });
  const Paths = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()));
  const document: unknown = await answer.json();
  const Document = Type.Object({ openapi: Type.String(), paths: Paths });
  if (!Value.Check(Document, document)) throw new Error("no OpenAPI document");
  const names = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  const routes = [...described.map(({ name }) => name), "GET /swagger/json"];

  expect(names.toSorted()).toEqual(
    routes.map((name) => name.replaceAll(/:(\w+)/g, "{$1}")).toSorted(),
  );
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { title: "veriroute", version: "0.0.0-test" },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: {
      schemas: { OpenAiError: {}, AnthropicError: {}, AdminError: {} },
      securitySchemes: { bearer: { type: "http" }, apiKey: { type: "apiKey", in: "header" } },
    },
  });
});

test("every reference in the document leads to a schema of its own components", async () => {
  const answer = await api.call("/swagger/json", { headers: bearer(ADMIN_KEY) });
  const text = await answer.text();
  const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );

  expect(new Set(named)).toEqual(new Set(["AdminError", "AnthropicError", "OpenAiError"]));
  expect(JSON.parse(text)).toMatchObject({
    components: {
      schemas: {
        AdminError: { type: "object" },
        AnthropicError: { type: "object" },
        OpenAiError: { type: "object" },
      },
    },
  });
  // An id inside would move the place where references are looked up.
  expect(text).not.toContain('"$id"');
});

test("every tag is used and every tag used is described", () => {
  const used = new Set(described.flatMap(({ operation }) => operation.tags));

  expect([...used].toSorted()).toEqual(Object.keys(TAGS).toSorted());
});

test.each(
  described.flatMap(({ name, operation: { requestBody } }) => {
    const [, path = ""] = name.split(" ");
    const example = requestBody?.content["application/json"]?.example;
    return isGeneration(name) ? [{ path, example }] : [];
  }),
)("the example of $path is accepted as it stands", async ({ path, example }) => {
  const answer = await api.send(path, example, { headers: bearer(ADMIN_KEY) });

  expect(answer.status).toBe(200);
});
