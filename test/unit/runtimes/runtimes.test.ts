import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { ColabRig } from "../../support/colab-rig.ts";
import { runtimesRig, unreachable, WISH } from "../../support/runtimes-rig.ts";
import { until } from "../../support/until.ts";

/** In no bundled table, and its name does not say how large it is. */
const REPO = "org/thing";
const CONFIG = {
  model_type: "qwen2",
  num_hidden_layers: 28,
  hidden_size: 1536,
  num_attention_heads: 12,
  num_key_value_heads: 2,
};

/** Holds back the first command that has `word` among its own, and says when it came. */
function holdBack({ colab }: ColabRig, word: string) {
  const [came, goes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  colab.around = async (argv, run) => {
    if (!argv.includes(word)) return run();
    came.resolve();
    await goes.promise;
    return run();
  };
  return { came: came.promise, letGo: goes.resolve };
}

test("a router that ends while somebody asks for a machine rents none, and leaves nothing behind", async () => {
  using made = runtimesRig();
  const { runtimes, rig } = made;
  const held = holdBack(rig, "sessions");
  const up = runtimes.up(WISH);
  await held.came;

  const notices = await runtimes.close();
  held.letGo();

  expect(await up).toMatchObject({ ok: false, problem: expect.stringContaining("is ending") });
  expect(notices).toEqual([]);
  expect(rig.colab.commands.filter((words) => words.includes("new"))).toEqual([]);
  expect([await runtimes.list(), [...made.locks]]).toEqual([[], []]);
});

test("a router that ended before begins nothing that is asked of it then", async () => {
  using made = runtimesRig();
  const { runtimes, rig } = made;
  await runtimes.close();

  const answers = [
    await runtimes.up(WISH),
    await runtimes.adopt({ endpoint: "gpu-t4-1", name: null }),
  ];

  expect(answers.map(({ ok }) => ok)).toEqual([false, false]);
  expect(rig.colab.commands).toEqual([]);
});

test("a machine that is being adopted when the router ends is released, or said", async () => {
  using made = runtimesRig();
  const { runtimes, rig } = made;
  await rig.driver.create({ name: "stray", sku: "T4" });
  const [machine] = rig.colab.billing();
  await runtimes.start();
  const held = holdBack(rig, "sessions");
  const adopt = runtimes.adopt({ endpoint: machine?.endpoint ?? "", name: "found" });
  await held.came;

  const close = runtimes.close();
  held.letGo();

  expect(await adopt).toMatchObject({ ok: true });
  expect(await close).toEqual([]);
  expect([rig.colab.billing(), await runtimes.list()]).toEqual([[], []]);
});

test("an adoption that fails halfway leaves no lease that nobody answers for", async () => {
  using made = runtimesRig();
  const { runtimes, rig, state_dir } = made;
  await rig.driver.create({ name: "stray", sku: "T4" });
  const [machine] = rig.colab.billing();
  mkdirSync(join(state_dir, "colab"));
  writeFileSync(join(state_dir, "colab", "found"), "no store can be made here");

  const answer = await runtimes.adopt({ endpoint: machine?.endpoint ?? "", name: "found" });

  expect(answer).toMatchObject({ ok: false });
  expect([await runtimes.list(), [...made.locks]]).toEqual([[], []]);
});

/** The folder is there before its file is. */
const isKept = (plans: string) =>
  existsSync(plans) &&
  readdirSync(plans, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".json"));

test("S3-151: a start that is repeated gets the plan that came up, though the Hub is out of reach", async () => {
  const revision = "0123456789abcdef0123456789abcdef01234567";
  let isHubThere = true;
  using made = runtimesRig((url, init) => {
    if (url.includes("127.0.0.1")) return Promise.resolve(Response.json({ data: [{ id: REPO }] }));
    if (!isHubThere) return unreachable(url, init);
    const parameters = { BF16: 1_600_000_000 };
    const isConfig = url.endsWith("/config.json");
    const answer = isConfig ? CONFIG : { sha: revision, gated: false, safetensors: { parameters } };
    return Promise.resolve(Response.json(answer));
  });
  const { runtimes } = made;
  const wish = { ...WISH, repo: REPO, gpu: "L4" } as const;
  const planOf = async (name: string) => {
    await runtimes.up({ ...wish, name });
    await until(async () => (await runtimes.find(name))?.phase === "ready");
    const { spec, plan } = JSON.parse(
      readFileSync(join(made.state_dir, "runtimes", `${name}.json`), "utf8"),
    );
    return { spec, plan: { ...plan, notes: [] } };
  };

  const first = await planOf("first");
  await until(() => isKept(join(made.state_dir, "plans")));
  isHubThere = false;
  const second = await planOf("second");

  expect(second).toEqual(first);
  expect(first.spec).toEqual({ repo: REPO, revision, ctx: 4096, quant: null, concurrency: 1 });
});
