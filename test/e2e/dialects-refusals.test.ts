import { afterAll, beforeAll, expect, test } from "bun:test";

import { ASKS, PATHS, type TalkDialect } from "../support/dialect-rig.ts";
import { readRefusal } from "../support/read-talk.ts";
import { startRouter, type TestRouter } from "../support/router.ts";

const DIALECTS: readonly TalkDialect[] = ["chat", "messages", "responses"];

let router: TestRouter;
beforeAll(async () => {
  const keys = 'client_key = "client-key-0123456789"\nadmin_key = "admin-key-0123456789"\n';
  router = await startRouter({ config: `[server]\nmax_body = "4KiB"\n${keys}` });
});
afterAll(() => router[Symbol.asyncDispose]());

const KEY = { authorization: "Bearer client-key-0123456789" };
const BIG = { ...ASKS.messages, padding: "x".repeat(5000) };

test.each<{
  what: string;
  ask: (path: string) => Promise<Response>;
  wanted: number;
  type: string;
}>([
  {
    what: "no key",
    ask: (path) => router.post(path, {}),
    wanted: 401,
    type: "authentication_error",
  },
  {
    what: "debugging without an admin key",
    ask: (path) =>
      router.post(path, ASKS.messages, { headers: { ...KEY, "x-veriroute-debug": "1" } }),
    wanted: 403,
    type: "permission_error",
  },
  {
    what: "a foreign origin",
    ask: (path) => router.post(path, {}, { headers: { ...KEY, origin: "https://evil.example" } }),
    wanted: 403,
    type: "permission_error",
  },
  {
    what: "no JSON",
    ask: (path) => router.post(path, "{", { headers: KEY }),
    wanted: 400,
    type: "invalid_request_error",
  },
  {
    what: "another content type",
    ask: (path) => router.post(path, "{}", { headers: { ...KEY, "content-type": "text/plain" } }),
    wanted: 415,
    type: "invalid_request_error",
  },
  {
    what: "a large body",
    ask: (path) => router.post(path, BIG, { headers: KEY }),
    wanted: 413,
    type: "request_too_large",
  },
  {
    what: "an empty body",
    ask: (path) => router.post(path, {}, { headers: KEY }),
    wanted: 400,
    type: "invalid_request_error",
  },
  {
    what: "another method",
    ask: (path) => router.get(path, { headers: KEY }),
    wanted: 405,
    type: "invalid_request_error",
  },
  {
    what: "a path below it that is none",
    ask: (path) => router.post(`${path}/nothing/there`, {}, { headers: KEY }),
    wanted: 404,
    type: "not_found_error",
  },
])("$what has the envelope of each dialect", async ({ ask, wanted, type }) => {
  for (const dialect of DIALECTS) {
    const response = await ask(PATHS[dialect]);
    const { isOwn, status, word } = await readRefusal(response, dialect);

    expect({ dialect, isOwn, status }).toEqual({ dialect, isOwn: true, status: wanted });
    if (dialect === "messages") expect(word).toBe(type);
  }
});

test("a model that nobody knows is a 404 in each dialect", async () => {
  for (const dialect of DIALECTS) {
    const ask = { ...ASKS[dialect], model: "no-such-model" };
    const response = await router.post(PATHS[dialect], ask, { headers: KEY });

    expect(await readRefusal(response, dialect)).toMatchObject({
      isOwn: true,
      status: 404,
      word: dialect === "messages" ? "not_found_error" : "model_not_found",
    });
  }
});

test("lists of models are refused in the words of whoever asks", async () => {
  const version = { "anthropic-version": "2023-06-01" };
  const anthropic = await router.get("/v1/models", { headers: version });
  const openai = await router.get("/v1/models");
  const one = await router.get("/v1/models/none", { headers: { ...KEY, ...version } });

  expect(await anthropic.json()).toMatchObject({
    type: "error",
    error: { type: "authentication_error" },
  });
  expect(await openai.json()).toMatchObject({ error: { code: "invalid_api_key" } });
  expect(await one.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
});
