import { expect, test } from "bun:test";

import { classifyHttp, classifyThrown } from "../../../../src/health/classify.ts";
import { NOW, received, simulation } from "./simulation.ts";

const { chat } = simulation();

/** The router's own reading of what the simulator answers, params as given. */
async function kindOf(body: Record<string, unknown>) {
  const response = await chat(body);
  return classifyHttp({
    status: response.status,
    header: (name) => response.headers.get(name),
    body: await response.text(),
    now: NOW,
  });
}

test.each([
  { code: 400, kind: "bad_request" },
  { code: 401, kind: "auth" },
  { code: 402, kind: "insufficient_credit" },
  { code: 403, kind: "auth" },
  { code: 404, kind: "model_not_found" },
  { code: 408, kind: "timeout" },
  { code: 413, kind: "context_length" },
  { code: 422, kind: "bad_request" },
  { code: 429, kind: "rate_limit" },
  { code: 500, kind: "server" },
  { code: 502, kind: "server" },
  { code: 503, kind: "overloaded" },
  { code: 504, kind: "timeout" },
  { code: 529, kind: "overloaded" },
])("status $code is read as $kind", async ({ code, kind }) => {
  expect(await kindOf({ model: "status", code })).toMatchObject({ kind, status: code });
});

test.each([
  { form: "context_length", kind: "context_length" },
  { form: "unsupported_parameter", kind: "unsupported_param" },
  { form: "model_not_found", kind: "model_not_found" },
  { form: "moderation", kind: "moderation" },
  { form: "quota", kind: "insufficient_credit" },
  { form: "html", kind: "server" },
])("the form $form is read as $kind", async ({ form, kind }) => {
  expect((await kindOf({ model: "status", form })).kind).toBe(kind);
});

test("a named wait is read back", async () => {
  const failure = await kindOf({ model: "status", code: 429, retry_after: 30 });

  expect(failure.retry_after_ms).toBe(30_000);
});

test.each([
  { params: {}, kind: "server" },
  { params: { code: 429 }, kind: "rate_limit" },
  { params: { form: "openrouter", code: 429 }, kind: "rate_limit" },
])("an error inside a 200 with $params is read as $kind", async ({ params, kind }) => {
  expect((await kindOf({ model: "error200", ...params })).kind).toBe(kind);
});

test("a reset is read as a network fault", async () => {
  const response = await chat({ model: "cut", stream: true });
  const { thrown } = await received(response);

  expect(classifyThrown(thrown).kind).toBe("network");
});
