/** Preparing on a machine without GPU, and what is kept of it: the compiled program on the fake of Colab. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type RunResult, startProgram } from "../support/binary.ts";
import { type Rented, rented, REPO, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;
const BAKE = ["bake", REPO, "--yes"] as const;
const NAME = "bake-vllm";

const rentals = (made: Rented) => made.colab.calls().filter(({ args }) => args.includes("new"));
const phase = (made: Rented) => made.lease(NAME)?.["phase"];
const isPreparing = (made: Rented) => made.colab.billing()[0]?.launch?.kind === "bake";
const cached = async (made: Rented, ...words: readonly string[]) =>
  JSON.parse((await made.run("cache", "--json", ...words)).stdout).items;

test.concurrent(
  "S3-096: bake, what cache says of it, a start that uses it, and its removal",
  async () => {
    await using made = await rented("rates.CPU = 0.08");

    const bake = await made.run(...BAKE);
    const [kept, ...rest] = await cached(made);
    const gc = await cached(made, "gc");
    await using server = await made.serve();
    const up = await made.run(...UP);
    const [machine] = made.colab.billing();
    const removed = await made.run("cache", "--remove", "vllm");
    await made.run("down", "gpu");

    expect(bake).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("vllm is baked: 1 ver"),
    });
    expect(bake.stderr).toContain("~0.08 CU an hour, 0.01 USD; released once it is done");
    expect(bake.stderr).toMatch(/\[\d.*CU.*\] its watchdog runs/);
    expect(kept).toMatchObject({ name: "vllm", kind: "baked", complete: true, use: "starts" });
    expect(rest).toMatchObject([{ kind: "store", name: ".account" }, { kind: "lease" }]);
    expect(gc).toEqual([]);
    expect(up.code).toBe(0);
    expect(machine).toMatchObject({ accelerator: "T4", launch: { is_baked: true } });
    expect(up.stderr).toContain("sending what was baked: vllm");
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining("vllm") });
    expect(existsSync(join(made.state_dir, "baked", "vllm"))).toBe(false);
    expect([server.pid > 0, made.colab.billing()]).toEqual([true, []]);
  },
  LIMIT_MS,
);

test.concurrent.each<{ what: string; config: string; words: readonly string[]; says: string }>([
  { what: "is not confirmed", config: "", words: ["bake", REPO], says: "add `--yes`" },
  {
    what: "cannot be kept within its limit",
    config: "max_compute_units = 1",
    words: BAKE,
    says: "set `runtimes.rates.CPU`",
  },
  {
    what: "is for a model that nothing holds",
    config: "",
    words: ["bake", "meta-llama/Llama-3.3-70B-Instruct", "--gpu", "T4", "--yes"],
    says: "fits no GPU",
  },
])("what $what rents nothing", async ({ config, words, says }) => {
  await using made = await rented(config);

  const { code, stderr } = await made.run(...words);

  expect([code, rentals(made)]).toEqual([1, []]);
  expect(stderr).toContain(says);
});

/** Begins to prepare, does that to it, the second once it ends, and gives back how it ended. */
async function interrupted(made: Rented, ...signals: NodeJS.Signals[]): Promise<RunResult> {
  made.colab.setFaults({ boot_ms: 3_600_000 });
  const running = startProgram(["runtimes", ...BAKE], made.options);
  await until(() => isPreparing(made));
  const [first, second] = signals;
  if (first !== undefined) running.kill(first);
  if (second !== undefined) {
    await until(() => phase(made) === "stopping");
    running.kill(second);
  }
  const result = await running.ended;
  made.colab.setFaults({});
  return result;
}

test.concurrent.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGHUP"])(
  "%s gives the machine back, with proof, and says so",
  async (signal) => {
    await using made = await rented();

    const { code, stderr } = await interrupted(made, signal);

    expect([code, made.colab.billing(), made.lease(NAME)]).toEqual([1, [], null]);
    expect(stderr).toContain("giving the machine back");
    expect(stderr).toContain("it costs nothing any more");
  },
  LIMIT_MS,
);

test.concurrent(
  "a terminal that says twice that it is closed does not cut the release short",
  async () => {
    await using made = await rented();

    const { stderr } = await interrupted(made, "SIGHUP", "SIGHUP");

    expect([made.colab.billing(), made.lease(NAME)]).toEqual([[], null]);
    expect(stderr).toContain("it costs nothing any more");
  },
  LIMIT_MS,
);

test.concurrent(
  "T1: killed while it prepares, it is reported, and released without a server",
  async () => {
    await using made = await rented();

    await interrupted(made, "SIGKILL");
    const status = await made.run("status");
    const down = await made.run("down", NAME);

    expect(status.stdout).toContain(`MAY STILL BE BILLING ${NAME} CPU`);
    expect([down.code, made.colab.billing(), made.lease(NAME)]).toEqual([0, [], null]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T1: killed while it prepares, the next router releases it",
  async () => {
    await using made = await rented();

    await interrupted(made, "SIGKILL");
    const before = phase(made);
    await using server = await made.serve();
    await until(() => made.lease(NAME) === null);

    expect(before).toBe("starting");
    expect(server.stderr()).toContain(`MAY STILL BE BILLING ${NAME} CPU`);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "S3-106: cache lists what is of no more use, and deletes only what is named",
  async () => {
    await using made = await rented();
    const stale = join(made.state_dir, "colab", "old", "home");
    const torn = join(made.state_dir, "baked", ".vllm.0199");
    for (const place of [stale, torn]) mkdirSync(place, { recursive: true });
    writeFileSync(join(torn, "part-000"), "half");
    const broken = join(made.state_dir, "runtimes");
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, "mine.json"), "torn");
    mkdirSync(join(made.state_dir, "colab", "mine"));

    const all = await cached(made);
    const gc = await cached(made, "gc");
    const afterGc = readdirSync(join(made.state_dir, "colab"));
    const inUse = await made.run("cache", "--remove", "mine");
    const unknown = await made.run("cache", "--remove", "other");
    const removed = await cached(made, "--remove", "leftovers");

    expect(all).toMatchObject([
      { name: ".vllm.0199", kind: "baked", bytes: 4, complete: false, use: "none" },
      { name: "mine", kind: "store", use: "runtime", complete: null },
      { name: "old", kind: "store", use: "none", changed_at: expect.any(Number) },
    ]);
    expect(gc.map(({ name }: { name: string }) => name)).toEqual([".vllm.0199", "old"]);
    expect(afterGc).toEqual(["mine", "old"]);
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use") });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("`other`") });
    expect(removed).toEqual(gc);
    expect(readdirSync(join(made.state_dir, "colab"))).toEqual(["mine"]);
    expect(readdirSync(join(made.state_dir, "baked"))).toEqual([]);
  },
  LIMIT_MS,
);
