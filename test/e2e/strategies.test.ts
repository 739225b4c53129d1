import { expect, test } from "bun:test";

import { startFleet } from "../support/fleet.ts";
import { chat } from "../support/router.ts";
import { chunk } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";

const PATH = "/v1/chat/completions";

const pool = (strategy: string, ...targets: string[]) =>
  `[pools.main]\nstrategy = "${strategy}"\ntargets = [${targets.map((text) => `"${text}"`).join(", ")}]\n`;

async function servedBy(response: Response): Promise<string | null> {
  await response.text();
  return response.headers.get("x-veriroute-target");
}

test("round_robin gives every target its turn, and explaining takes none", async () => {
  await using fleet = await startFleet({
    instances: ["a", "b", "c"],
    config: pool("round_robin", "a:m", "b:m", "c:m"),
  });
  const served: (string | null)[] = [];
  for (let n = 0; n < 4; n++) {
    await (await fleet.router.post("/v1/routing/explain", chat("pool:main"))).text();
    served.push(await servedBy(await fleet.router.post(PATH, chat("pool:main"))));
  }

  expect(served).toEqual(["a:m", "b:m", "c:m", "a:m"]);
});

test("what explain shows is what the next request gets", async () => {
  await using fleet = await startFleet({
    instances: ["a", "b"],
    config: pool("round_robin", "a:m", "b:m"),
  });
  for (let n = 0; n < 3; n++) {
    const explained = await (
      await fleet.router.post("/v1/routing/explain", chat("pool:main"))
    ).text();
    const response = await fleet.router.post(PATH, chat("pool:main"));
    const id = response.headers.get("x-veriroute-decision");
    const decided = await fleet.router.admin(`/admin/v1/decisions/${id}`);

    expect(decided).toMatchObject({ plan: JSON.parse(explained).plan, strategy: "round_robin" });
  }
});

test("weighted follows the weights and keeps weight 0 as a spare; neither order nor weight is sent", async () => {
  let draw = 0;
  await using fleet = await startFleet({
    instances: ["a", "b", "spare"],
    config: pool("weighted", "spare:m?weight=0", "a:m?weight=1&seed=7", "b:m?weight=3&order=0"),
    random: () => (draw = (draw + 0.137) % 1),
  });
  for (let n = 0; n < 40; n++) {
    await (await fleet.router.post(PATH, chat("pool:main"))).text();
  }
  const counts = Object.fromEntries(
    fleet
      .asked()
      .split(" ")
      .map((text) => text.split(":")),
  );

  expect(counts["spare"]).toBe("0");
  expect(Number(counts["b"])).toBeGreaterThan(Number(counts["a"]));
  expect(Number(counts["a"])).toBeGreaterThan(0);
  expect(fleet.bodies("a")[0]).toEqual({ ...chat("m"), seed: 7, stream: false });
  expect(fleet.bodies("b")[0]).toEqual({ ...chat("m"), stream: false });
});

test("least_busy goes around a target with a stream under way", async () => {
  await using fleet = await startFleet({
    instances: ["a", "b"],
    config: pool("least_busy", "a:m", "b:m"),
  });
  const ended = Promise.withResolvers<void>();
  fleet.script("a", async (wire) => {
    wire.sse();
    wire.write(chunk({ role: "assistant", content: "slow" }));
    await ended.promise;
    wire.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
    wire.end();
  });

  const slow = await fleet.router.post(PATH, chat("pool:main", { stream: true }));
  const other = await servedBy(await fleet.router.post(PATH, chat("pool:main")));
  ended.resolve();

  expect([slow.headers.get("x-veriroute-target"), other]).toEqual(["a:m", "b:m"]);
  expect(await slow.text()).toContain("slow");
});

test("lowest_latency measures each target once, then stays with the fastest", async () => {
  let now = 1_764_460_800_000;
  await using fleet = await startFleet({
    instances: ["a", "b"],
    config: pool("lowest_latency", "a:m", "b:m"),
    clock: { now: () => now, elapsed: () => now },
  });
  for (const [name, took] of [
    ["a", 300],
    ["b", 20],
  ] as const) {
    fleet.script(name, (wire) => {
      now += took;
      wire.json({ choices: [{ index: 0, message: { role: "assistant", content: "hi" } }] });
    });
  }
  const served: (string | null)[] = [];
  for (let n = 0; n < 4; n++) {
    served.push(await servedBy(await fleet.router.post(PATH, chat("pool:main"))));
  }

  expect(served).toEqual(["a:m", "b:m", "b:m", "b:m"]);
});

test("lowest_cost takes the cheapest by the operator's cards; an unknown price comes last", async () => {
  using folder = tempDir();
  const file = folder.file("cards.toml");
  await Bun.write(
    file,
    '["dear:m".price]\ninput_usd = 5\noutput_usd = 5\n["cheap:m".price]\ninput_usd = 1\noutput_usd = 1\n',
  );
  await using fleet = await startFleet({
    instances: ["unknown", "dear", "cheap"],
    config: `${pool("lowest_cost", "unknown:m", "dear:m", "cheap:m")}[catalog]\nfile = "${file}"\n`,
  });

  const explained = await (
    await fleet.router.post("/v1/routing/explain", chat("pool:main"))
  ).json();

  expect(await servedBy(await fleet.router.post(PATH, chat("pool:main")))).toBe("cheap:m");
  expect(explained).toMatchObject({
    plan: { candidates: [{ target: "cheap:m" }, { target: "dear:m" }, { target: "unknown:m" }] },
    notes: ["`unknown:m`: without a known price, so after the others"],
  });
});

const WINDOWS = '["small:m"]\nwindow_tokens = 128000\n["large:m"]\nwindow_tokens = 1000000\n';

test("what fits into no window of a pool is refused as too long, with the figures, and nobody is asked", async () => {
  using folder = tempDir();
  const file = folder.file("cards.toml");
  await Bun.write(file, WINDOWS);
  await using fleet = await startFleet({
    instances: ["small", "large"],
    config: `${pool("priority", "small:m", "large:m")}[catalog]\nfile = "${file}"\n`,
  });
  const tooLong = { messages: [{ role: "user", content: "word ".repeat(900_000) }] };

  for (const stream of [false, true]) {
    const response = await fleet.router.post(PATH, { model: "pool:main", stream, ...tooLong });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        code: "context_length_exceeded",
        message: expect.stringContaining("`large:m`: 1000000 < 1125001 tokens needed"),
      },
    });
  }
  expect(fleet.asked()).toBe("small:0 large:0");
});

test("a pool without a strategy takes the default one", async () => {
  const pools = '[pools]\nmain = ["a:m", "b:m"]\n';
  await using fleet = await startFleet({
    instances: ["a", "b"],
    config: `${pools}[routing]\ndefault_strategy = "round_robin"\n`,
  });
  const explained = await (await fleet.router.post("/v1/routing/explain", chat("auto"))).json();

  expect(explained).toMatchObject({ strategy: "round_robin", pool: "main" });
});
