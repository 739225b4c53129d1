import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";

import { findModel } from "../../../../src/runtimes/metadata/find-model.ts";
import {
  openStoredPlans,
  type StoredPlans,
} from "../../../../src/runtimes/metadata/stored-plans.ts";
import { unknownModel } from "../../../../src/sizing/model-facts.ts";
import { type FakeHub, fakeHub } from "../../../support/hub.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const MODEL = "/api/models/org/thing-7B?blobs=true";
const CONFIG = `/org/thing-7B/resolve/${SHA}/config.json`;
const TOKEN = "hf_verysecret";

const QWEN_CONFIG = {
  model_type: "qwen2",
  num_hidden_layers: 28,
  hidden_size: 3584,
  num_attention_heads: 28,
  num_key_value_heads: 4,
  vocab_size: 152_064,
  max_position_embeddings: 32_768,
  tie_word_embeddings: false,
};
const hubModel = (more: object = {}) => ({
  sha: SHA,
  gated: false,
  safetensors: { parameters: { BF16: 7_615_616_512 }, total: 7_615_616_512 },
  siblings: [{ rfilename: "model.safetensors", size: 15_231_271_888 }],
  ...more,
});

function find(
  repo: string,
  hub: Pick<FakeHub, "url">,
  more: { token?: string; cwd?: string; stored?: StoredPlans } = {},
) {
  return findModel({
    repo,
    cwd: more.cwd ?? "/",
    stored: more.stored ?? null,
    fetch: (url, init) => fetch(url, init),
    endpoint: hub.url,
    token: more.token ?? null,
    user_agent: "veriroute/test",
    timeout_ms: 300,
  });
}

test("a model of the Hub is known by two small requests", async () => {
  using hub = fakeHub({
    [MODEL]: () => Response.json(hubModel()),
    [CONFIG]: () => Response.json(QWEN_CONFIG),
  });

  expect(await find("org/thing-7B", hub, { token: TOKEN })).toMatchObject({
    ok: true,
    facts: {
      repo: "org/thing-7B",
      revision: SHA,
      tensors: { BF16: 7_615_616_512 },
      file_bytes: 15_231_271_888,
      architecture: { layers: 28, kv_heads: 4, max_context: 32_768, model_types: ["qwen2"] },
      notes: [expect.stringContaining("metadata from 127.0.0.1")],
    },
  });
  expect(hub.requests).toEqual([
    { path: MODEL, authorization: `Bearer ${TOKEN}` },
    { path: CONFIG, authorization: `Bearer ${TOKEN}` },
  ]);
});

test("a config behind a licence leaves the weights, and says what is needed", async () => {
  using hub = fakeHub({
    [MODEL]: () => Response.json(hubModel({ gated: "manual", config: { model_type: "llama" } })),
    [CONFIG]: () => new Response("no", { status: 403 }),
  });

  expect(await find("org/thing-7B", hub)).toMatchObject({
    ok: true,
    facts: {
      gated: true,
      tensors: { BF16: 7_615_616_512 },
      architecture: { model_types: ["llama"], layers: null },
      notes: [expect.stringContaining("HTTP 403; the model is gated")],
    },
  });
});

test.each<{ what: string; config: () => Response; says: string }>([
  { what: "is no object", config: () => Response.json([1]), says: "no JSON object" },
  {
    what: "is too large",
    config: () => new Response(`"${"x".repeat(2e6)}"`),
    says: "no JSON object",
  },
  {
    what: "moves to another host",
    config: () => Response.redirect("http://127.0.0.1:1/config.json", 302),
    says: "redirects to `127.0.0.1:1`, which is not followed",
  },
  {
    what: "moves in a circle",
    config: () => new Response(null, { status: 307, headers: { location: CONFIG } }),
    says: "redirects in a circle",
  },
])("a config that $what is done without", async ({ config, says }) => {
  using hub = fakeHub({ [MODEL]: () => Response.json(hubModel()), [CONFIG]: config });

  expect(await find("org/thing-7B", hub, { token: TOKEN })).toMatchObject({
    ok: true,
    facts: { notes: [expect.stringContaining(says)], architecture: { layers: null } },
  });
});

test("a redirect on the Hub itself is followed", async () => {
  using hub = fakeHub({
    [MODEL]: () => Response.json(hubModel()),
    [CONFIG]: () => new Response(null, { status: 307, headers: { location: "/cache/1" } }),
    "/cache/1": () => Response.json(QWEN_CONFIG),
  });

  expect(await find("org/thing-7B", hub)).toMatchObject({
    facts: { architecture: { layers: 28 } },
  });
});

test.each<{ status: number; says: string }>([
  { status: 404, says: "has no model `org/thing-7B`" },
  { status: 401, says: "shows no model `org/thing-7B` without a token" },
])("a model that the Hub answers with $status is not found", async ({ status, says }) => {
  using hub = fakeHub({ [MODEL]: () => new Response("", { status }) });

  expect(await find("org/thing-7B", hub)).toEqual({
    ok: false,
    problem: expect.stringContaining(says),
  });
});

test.each<{ what: string; answer: () => Response; says: string }>([
  { what: "fails", answer: () => new Response("", { status: 503 }), says: "answered HTTP 503" },
  { what: "answers nonsense", answer: () => new Response("<html>"), says: "without a model" },
])("where the Hub $what, the name has to do, and it is said", async ({ answer, says }) => {
  using hub = fakeHub({ [MODEL]: answer });

  expect(await find("org/thing-7B", hub)).toMatchObject({
    ok: true,
    facts: { tensors: null, notes: [expect.stringContaining(says)] },
  });
});

test("where the Hub does not answer, the bundled table serves, and it is said", async () => {
  const silent = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Promise(() => {}) });
  try {
    const found = await find("google/gemma-3-4b-it", { url: `http://127.0.0.1:${silent.port}` });

    expect(found).toMatchObject({
      ok: true,
      facts: {
        params: 4_300_079_472,
        gated: true,
        notes: [
          expect.stringContaining("cannot be reached"),
          expect.stringContaining("bundled table"),
        ],
      },
    });
  } finally {
    await silent.stop(true);
  }
});

test("the token is in no message and goes to no plain http host", async () => {
  const seen: (string | null)[] = [];
  const found = await findModel({
    repo: "org/thing-7B",
    cwd: "/",
    stored: null,
    fetch: (_, init) => {
      seen.push(new Headers(init.headers).get("authorization"));
      return Promise.reject(new Error(`failed with ${TOKEN}`));
    },
    endpoint: "http://mirror.example.org",
    token: TOKEN,
    user_agent: "veriroute/test",
    timeout_ms: 300,
  });

  expect(seen).toEqual([null]);
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});

test.each(["a/b/c", "../up", "org/../x", "org/na me", "org/x?y", "", "-x/y", "org//x"])(
  "`%s` is asked of nobody",
  async (repo) => {
    using hub = fakeHub({});
    const found = await find(repo, hub, { cwd: "/nonexistent" });

    expect([found.ok, hub.requests]).toEqual([false, []]);
  },
);

test("a folder with a config.json is a model, with the sizes of its weights", async () => {
  using home = tempDir();
  mkdirSync(home.file("thing-7B"));
  writeFileSync(home.file("thing-7B/config.json"), JSON.stringify(QWEN_CONFIG));
  writeFileSync(home.file("thing-7B/model.safetensors"), "x".repeat(1000));
  const local = (repo: string) => find(repo, { url: "http://127.0.0.1:1" }, { cwd: home.path });

  const found = await local("./thing-7B");
  expect(found).toMatchObject({
    ok: true,
    facts: { repo: "thing-7B", file_bytes: 1000, architecture: { layers: 28 } },
  });
  expect(await local("thing-7B/config.json")).toEqual(found);

  writeFileSync(home.file("thing-7B/config.json"), "{");
  expect(await local("./thing-7B")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("is no JSON; give the `config.json`"),
  });
  expect(await local("./gone")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("cannot be read"),
  });
});

test("S3-151: where the Hub cannot be asked, a model is what it was when it last came up", async () => {
  using home = tempDir();
  const stored = openStoredPlans(home.path);
  using hub = fakeHub({
    [MODEL]: () => Response.json(hubModel()),
    [CONFIG]: () => Response.json(QWEN_CONFIG),
  });
  using broken = fakeHub({ [MODEL]: () => new Response("", { status: 503 }) });
  const first = await find("org/thing-7B", hub, { stored });
  if (!first.ok) throw new Error(first.problem);
  const plan = { sku: "L4", quant: null, context: 8192, concurrency: null } as const;
  await stored.keep(first.facts, { ...plan, at: Date.UTC(2026, 10, 28), took_ms: 420_000 });

  const again = await find("org/thing-7B", broken, { stored });

  expect(again).toEqual({
    ok: true,
    facts: {
      ...first.facts,
      notes: [
        expect.stringContaining("answered HTTP 503"),
        `facts of revision ${SHA}, which came up from here on 2026-11-28`,
      ],
    },
    plans: [{ ...plan, revision: SHA, at: Date.UTC(2026, 10, 28), took_ms: 420_000 }],
  });
});

test.each([401, 404])(
  "S3-151: a Hub that answers %d is believed, whatever came up before",
  async (status) => {
    using home = tempDir();
    const stored = openStoredPlans(home.path);
    const facts = { ...unknownModel("org/thing-7B"), revision: SHA };
    const plan = {
      sku: "L4",
      quant: null,
      context: 8192,
      concurrency: null,
      at: 1,
      took_ms: 1,
    } as const;
    await stored.keep(facts, plan);
    using hub = fakeHub({ [MODEL]: () => new Response("", { status }) });

    expect(await find("org/thing-7B", hub, { stored })).toMatchObject({ ok: false });
  },
);
