import { expect, test } from "bun:test";
import { join } from "node:path";

import { hostGateway } from "../support/canary/gateway.ts";
import { canaryOf, round, watching } from "../support/canary/rounds.ts";
import { movedClock } from "../support/moved-clock.ts";
import { chat, startRouter } from "../support/router.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;
const ROOT = join(import.meta.dir, "../..");

/** Modules of ours and the detector that a process has loaded after it served a request and a day. */
async function loadedBy(config: string): Promise<readonly string[]> {
  using directory = tempDir();
  const program = `
    const { startRouter, chat } = await import("${ROOT}/test/support/router.ts");
    const { movedClock } = await import("${ROOT}/test/support/moved-clock.ts");
    const clock = movedClock();
    const router = await startRouter({ clock, config: process.env.CONFIG });
    await (await router.post("/v1/chat/completions", chat("openrouter:a/m"))).text();
    await router.admin("/admin/v1/canary");
    clock.move(${DAY_MS});
    await (await router.post("/v1/chat/completions", chat("openrouter:a/m"))).text();
    console.log(JSON.stringify(Object.keys(require.cache)));
    await router[Symbol.asyncDispose]();
  `;
  const child = Bun.spawn([process.execPath, "-e", program], {
    cwd: directory.path,
    env: { ...process.env, CONFIG: config },
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await child.stdout.text()).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "[]");
}

const isOfCanary = (path: string) =>
  /src\/control\/canary\/live\/|verify\/language\/judge-language|node_modules\/eld\//.test(path);

test("without a section nothing of it is loaded, and a day passes without a probe", async () => {
  using gateway = hostGateway(["one"]);
  const off = `[providers.openrouter]\nbase_url = "${gateway.base_url}"\napi_key = "test"\nmodels = ["a/m"]\n`;

  const loaded = await loadedBy(off);
  const asked = gateway.bodies.length;
  const control = await loadedBy(watching(gateway.base_url));

  expect(loaded.some((path) => path.endsWith("src/control/canary/canary.ts"))).toBe(true);
  expect(loaded.filter(isOfCanary)).toEqual([]);
  // The two requests of the client, none of ours.
  expect(asked).toBe(2);
  expect(control.some(isOfCanary)).toBe(true);
}, 60_000);

test("off, it says so and does nothing; a dry run still tells what a day would cost", async () => {
  using gateway = hostGateway(["one", "two"]);
  const config = watching(gateway.base_url).replace("enabled = true", "enabled = false");
  await using router = await startRouter({ config, clock: movedClock() });

  const run = await router.post("/admin/v1/canary/run", {});
  const lift = await router.post("/admin/v1/canary/lift", { endpoint: "openrouter:a/m@one" });
  const plan = Object(await router.admin("/admin/v1/canary/dry-run"));

  expect([run.status, Object(await run.json()).error.code]).toEqual([409, "canary_disabled"]);
  expect(lift.status).toBe(409);
  expect(await canaryOf(router)).toMatchObject({ enabled: false, endpoints: [] });
  expect(plan.probes).toHaveLength(8);
  expect(plan.usual_usd_per_day).toBeGreaterThan(0);
  expect(gateway.bodies).toEqual([]);
});

test("a reload switches it on and off, and off lets everybody serve", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", ({ wants_form }) => (wants_form ? "{" : ""));
  const on = watching(gateway.base_url, "", 'mode = "enforce"');
  const off = on.replace("enabled = true", "enabled = false");
  await using router = await startRouter({ config: off, clock: movedClock() });
  const file = join(router.directory, "veriroute.toml");
  const reload = async (config: string, isOn: boolean) => {
    await Bun.write(file, config);
    await router.post("/admin/v1/config/reload", {});
    await until(async () => Object(await canaryOf(router)).enabled === isOn);
  };

  await reload(on, true);
  await round(router);
  await round(router);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));
  const enforced = gateway.bodies.at(-1)?.["provider"];
  await reload(off, false);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));
  const released = gateway.bodies.at(-1)?.["provider"];
  await reload(on, true);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));

  expect(enforced).toEqual({ ignore: ["bad"] });
  expect(released).toBeUndefined();
  // Its state is as it was left: off is no pardon.
  expect(gateway.bodies.at(-1)?.["provider"]).toEqual({ ignore: ["bad"] });
});

test("going back to observing lets everybody serve at once", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", ({ wants_form }) => (wants_form ? "{" : ""));
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock: movedClock(),
  });
  await round(router);
  await round(router);

  await router.post("/admin/v1/config/reload", {});
  const put = await fetch(`${router.url}/admin/v1/config/canary.mode`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ value: "observe" }),
    proxy: false,
  });
  const released = await until(async () => {
    await router.post("/v1/chat/completions", chat("openrouter:a/m"));
    return gateway.bodies.at(-1)?.["provider"] === undefined;
  });

  const { endpoints } = Object(await router.admin("/admin/v1/canary"));
  const bad = endpoints.find(({ endpoint }: { endpoint: string }) => endpoint.endsWith("@bad"));
  expect([put.status, released]).toEqual([200, true]);
  // Its clock goes on.
  expect(bad).toMatchObject({ state: "ok", until_at: expect.any(Number) });
});

test("the time of a suspension ends it without a round", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", ({ wants_form }) => (wants_form ? "{" : ""));
  const clock = movedClock();
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock,
  });
  await round(router);
  await round(router);

  clock.move(DAY_MS);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));

  expect(gateway.bodies.at(-1)?.["provider"]).toBeUndefined();
});
