import { expect, test } from "bun:test";
import { join } from "node:path";

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { chat, startRouter, type TestRouter } from "../support/router.ts";
import {
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  streamOf,
} from "../support/scripted-upstream.ts";

const USAGE = { prompt_tokens: 1_000_000, completion_tokens: 100_000, total_tokens: 1_100_000 };

/** A vendor that lists `models` and answers every chat with `usage`. */
function vendor(models: readonly object[], usage: object = USAGE): ScriptedUpstream {
  return scriptedUpstream((wire, { path, body }) => {
    if (path.endsWith("/models")) return wire.json({ data: models });
    const isStream = new TextDecoder().decode(body).includes('"stream":true');
    if (!isStream) return wire.json(completion("hi", { usage }));
    wire.sse();
    const last = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage })}\n\n`;
    wire.write(streamOf("hi").replace("data: [DONE]", `${last}data: [DONE]`));
    wire.end();
  });
}

const Priced = Type.Object({ cost_usd: Type.Union([Type.Number(), Type.Null()]) });
const DecisionCost = Type.Object({
  ...Priced.properties,
  usage: Type.Unknown(),
  attempts: Type.Array(Type.Object({ ...Priced.properties, target: Type.String() })),
});

async function costOf(router: TestRouter, response: Response) {
  await response.text();
  const id = response.headers.get("x-veriroute-decision");
  return Value.Parse(DecisionCost, await router.admin(`/admin/v1/decisions/${id}`));
}

const Rows = Type.Object({
  items: Type.Array(
    Type.Object({
      target: Type.String(),
      card: Type.Object({
        window_tokens: Type.Union([Type.Integer(), Type.Null()]),
        price: Type.Object({ input_usd: Priced.properties.cost_usd }),
        source: Type.String(),
      }),
      sources: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  next: Type.Union([Type.String(), Type.Null()]),
});
const catalog = async (router: TestRouter, query = "") =>
  Value.Parse(Rows, await router.admin(`/admin/v1/catalog${query}`));

const section = (name: string, type: string, { base_url }: ScriptedUpstream, more = "") =>
  `[providers.${name}]\ntype = "${type}"\nbase_url = "${base_url}"\napi_key = "k"\n${more}\n`;

const LISTED = {
  id: "z-ai/glm-5.3-flash",
  context_length: 1_048_576,
  pricing: { prompt: "0.00000015", completion: "0.0000005" },
};

test("what the listing of an aggregator says is in the catalogue and in the cost of a call", async () => {
  using upstream = vendor([LISTED, { id: "auto", pricing: { prompt: "-1", completion: "-1" } }]);
  await using router = await startRouter({ config: section("or", "openrouter", upstream) });
  await router.app.discovered;

  const answer = await router.post("/v1/chat/completions", chat("or:z-ai/glm-5.3-flash"));
  const dynamic = await router.post("/v1/chat/completions", chat("or:auto"));

  expect(await costOf(router, answer)).toMatchObject({
    cost_usd: 0.2,
    usage: { input_tokens: 1_000_000, output_tokens: 100_000 },
    attempts: [{ target: "or:z-ai/glm-5.3-flash", cost_usd: 0.2 }],
  });
  expect((await costOf(router, dynamic)).cost_usd).toBeNull();
  expect((await catalog(router, "?filter=GLM")).items).toMatchObject([
    {
      target: "or:z-ai/glm-5.3-flash",
      card: { window_tokens: 1_048_576, price: { input_usd: 0.15 }, source: "listing" },
      sources: { window_tokens: "listing", tools: null },
    },
  ]);
});

test("models that the config names are priced by the listing all the same, and stay the only ones", async () => {
  using upstream = vendor([LISTED, { ...LISTED, id: "other" }]);
  const config = section("or", "openrouter", upstream, 'models = ["z-ai/glm-5.3-flash"]');
  await using router = await startRouter({ config });
  await router.app.discovered;

  expect((await catalog(router, "?filter=or:")).items).toMatchObject([
    { target: "or:z-ai/glm-5.3-flash", card: { source: "listing" } },
  ]);
});

test.each<{ what: string; type: string; model: string; usage: object; cost: number | null }>([
  {
    what: "at the price of a long prompt",
    type: "openai",
    model: "gpt-5.4",
    usage: USAGE,
    cost: 5 + 2.25,
  },
  {
    what: "with cached tokens at their own price",
    type: "openai",
    model: "gpt-5.4",
    usage: {
      prompt_tokens: 100_000,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 80_000 },
    },
    cost: 0.05 + 0.02,
  },
  {
    what: "as the vendor says",
    type: "openrouter",
    model: "openrouter/auto",
    usage: { ...USAGE, cost: 0.0125 },
    cost: 0.0125,
  },
  { what: "not at all if unknown", type: "openai", model: "gpt-99", usage: USAGE, cost: null },
])("a call is priced $what, stream or not", async ({ type, model, usage, cost }) => {
  using upstream = vendor([{ id: model }], usage);
  await using router = await startRouter({ config: section("up", type, upstream) });
  const body = chat(`up:${model}`, { stream_options: { include_usage: true } });

  const costs = [
    await costOf(router, await router.post("/v1/chat/completions", body)),
    await costOf(router, await router.post("/v1/chat/completions", { ...body, stream: true })),
  ].map(({ cost_usd }) => cost_usd);

  for (const known of costs) {
    if (cost === null) expect(known).toBeNull();
    else expect(known).toBeCloseTo(cost, 9);
  }
});

test("the target that answers is priced, not the one that was asked for", async () => {
  using broken = scriptedUpstream((wire) => wire.json({ error: { message: "no" } }, 500));
  using upstream = vendor([LISTED]);
  const config = [
    section("oai", "openai", broken, 'models = ["gpt-5.4"]'),
    section("or", "openrouter", upstream),
    '[pools]\nmain = ["oai:gpt-5.4", "or:z-ai/glm-5.3-flash"]\n',
  ].join("\n");
  await using router = await startRouter({ config });
  await router.app.discovered;

  const answer = await router.post("/v1/chat/completions", chat("pool:main"));
  const { cost_usd, attempts } = await costOf(router, answer);

  expect(cost_usd).toBe(0.2);
  expect(attempts.at(-1)).toEqual({ target: "or:z-ai/glm-5.3-flash", cost_usd: 0.2 });
});

test("the simulator and one's own servers cost nothing", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("hi", { usage: undefined })));
  const own = section("own", "openai-compatible", upstream, 'models = ["m"]\nlocal = true');
  await using router = await startRouter({ config: own });

  const sim = await router.post("/v1/chat/completions", chat("sim:echo"));
  const local = await router.post("/v1/chat/completions", chat("own:m"));

  expect((await costOf(router, sim)).cost_usd).toBe(0);
  expect((await costOf(router, local)).cost_usd).toBe(0);
});

test("the operator's cards beat all else, are reloaded, and a bad file changes nothing", async () => {
  using upstream = vendor([LISTED]);
  const config = section("or", "openrouter", upstream);
  await using router = await startRouter({ config });
  await router.app.discovered;
  const shown = async () => (await catalog(router, "?filter=glm")).items[0]?.card.price.input_usd;
  const write = (name: string, text: string) => Bun.write(join(router.directory, name), text);

  await write("veriroute.toml", `${config}[catalog]\nfile = "cards.json"\n`);
  await write("cards.json", JSON.stringify({ "or:z-ai/glm-5.3-flash": card(9) }));
  expect(await router.app.reload()).toEqual({ ok: true, notes: ["changed: catalog.file"] });
  expect(await shown()).toBe(9);

  await write("cards.json", JSON.stringify({ "or:z-ai/glm-5.3-flash": card(-1) }));
  expect(await router.app.reload()).toMatchObject({ ok: false });
  expect(await shown()).toBe(9);

  await write("cards.json", JSON.stringify({ "openrouter:z-ai/glm-5.3-flash": card(7) }));
  expect(await router.app.reload()).toEqual({ ok: true, notes: ["changed: catalog.file"] });
  expect(await shown()).toBe(7);

  expect(await router.app.reload()).toEqual({ ok: true, notes: [] });
});

const card = (input_usd: number) => ({ price: { input_usd } });

test("the catalogue comes in pages", async () => {
  using upstream = vendor(Array.from({ length: 5 }, (_, n) => ({ id: `m${n}` })));
  await using router = await startRouter({ config: section("up", "openai-compatible", upstream) });
  await router.app.discovered;

  const first = await catalog(router, "?filter=UP:m&limit=3");
  const second = await catalog(router, `?filter=up:m&limit=3&cursor=${first.next}`);

  expect([...first.items, ...second.items].map(({ target }) => target)).toEqual(
    Array.from({ length: 5 }, (_, n) => `up:m${n}`),
  );
  expect(second.next).toBeNull();
});

test.each(["?filter=", "?limit=0", "?cursor=x", "?colour=red"])(
  "%s is refused with what is wrong",
  async (query) => {
    await using router = await startRouter();

    const response = await router.get(`/admin/v1/catalog${query}`);

    expect(response.status).toBe(400);
  },
);
