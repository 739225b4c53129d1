import { expect, test } from "bun:test";
import { join } from "node:path";

import { createApp, type RunningApp } from "../../src/app.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { failing, fine } from "../support/behaving-fleet.ts";
import { type MovedClock, movedClock } from "../support/moved-clock.ts";
import { openTestStore } from "../support/open-store.ts";
import { chat, pool, provider } from "../support/router.ts";
import { scriptedUpstream } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

const log = createLog({ level: "silent", destination: { write: () => undefined } });

/** Starts the app on a state directory that outlives it. */
async function start(directory: string, clock: MovedClock): Promise<RunningApp> {
  const started = await createApp({
    paths: {
      state_dir: join(directory, "state"),
      config_file: join(directory, "veriroute.toml"),
    },
    env: { VERIROUTE_SERVER_PORT: "0", VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" },
    version: "0.0.0-test",
    random: () => 0.5,
    clock,
    log,
  });
  if (!started.ok) throw new Error(started.problems.join("\n"));
  return started.app;
}

const ask = async ({ url }: RunningApp, more: object = {}) => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chat("pool:main", more)),
  });
  return { status: response.status, target: response.headers.get("x-veriroute-target") };
};

const codes = async ({ url }: RunningApp, target: string): Promise<string[]> => {
  const { targets }: { targets: { target: string; reasons: { code: string }[] }[] } = JSON.parse(
    await (await fetch(`${url}/v1/routing/health`, { proxy: false })).text(),
  );
  const found = targets.find((one) => one.target === target);
  return (found?.reasons ?? []).map(({ code }) => code);
};

test("open breakers and exclusions outlive a restart, cooldowns do not", async () => {
  using directory = tempDir();
  using a = scriptedUpstream((wire) => failing(wire, false));
  using b = scriptedUpstream((wire) => fine(wire, false));
  const config = `${provider("a", a.base_url)}${provider("b", b.base_url)}${pool("a", "b")}`;
  const clock = movedClock();
  await Bun.write(
    join(directory.path, "veriroute.toml"),
    `${config}[cooldowns]\nserver = "1s"\n[routing]\nretries = 0\n`,
  );
  const first = await start(directory.path, clock);
  for (let n = 0; n < 5; n++) {
    await ask(first);
    clock.move(1000);
  }
  clock.move(-500);
  await fetch(`${first.url}/admin/v1/exclusions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ subject: "b", reason: "moving house" }),
  });
  expect(await codes(first, "a:m")).toEqual(["breaker_open", "cooldown"]);
  await first.stop();

  const second = await start(directory.path, clock);
  const status = await ask(second);
  await second.stop();
  const calls = a.requests.length;
  clock.move(60_000);
  const third = await start(directory.path, clock);
  const trial = await ask(third);
  const breakers = JSON.parse(
    await (await fetch(`${third.url}/admin/v1/breakers`, { proxy: false })).text(),
  );
  await third.stop();

  // The second process lets one request through to the benched `a`, since nothing else may serve.
  expect(status).toEqual({ status: 502, target: "a:m" });
  expect(calls).toBe(6);
  expect(trial).toEqual({ status: 502, target: "a:m" });
  expect(a.requests).toHaveLength(7);
  expect(b.requests).toHaveLength(5);
  expect(breakers.items).toMatchObject([{ subject: "a:m", state: "open", reopened: 1 }]);
});

test("an exclusion that another process makes comes into force here, and goes again", async () => {
  using directory = tempDir();
  using a = scriptedUpstream((wire) => fine(wire, false));
  await Bun.write(
    join(directory.path, "veriroute.toml"),
    `${provider("a", a.base_url)}${pool("a")}`,
  );
  const clock = movedClock();
  const app = await start(directory.path, clock);
  await ask(app);
  await using other = await openTestStore(join(directory.path, "state", "veriroute.db"), { clock });

  await other.addExclusion({
    id: "e1",
    scope: "provider",
    subject: "a",
    reason: "from elsewhere",
    created_at: clock.now(),
    until_at: null,
  });
  await until(async () => ((await ask(app)).status === 503 ? true : undefined));
  await other.removeExclusion("e1");
  await until(async () => ((await ask(app)).status === 200 ? true : undefined));
  await app.stop();

  expect(a.requests.length).toBeGreaterThan(1);
});

test("a half-open trip that waits for whole answers is against a stream in plan and attempt alike", async () => {
  using directory = tempDir();
  using a = scriptedUpstream((wire, { body }) =>
    fine(wire, new TextDecoder().decode(body).includes('"stream":true')),
  );
  using b = scriptedUpstream((wire) => failing(wire, false));
  await Bun.write(
    join(directory.path, "veriroute.toml"),
    `${provider("a", a.base_url)}${provider("b", b.base_url)}${pool("a", "b")}`,
  );
  const clock = movedClock();
  const [subject, cause] = ["a:m", "signature:schema_violation"];
  const until_at = clock.now() - 30_000;
  const opened_at = until_at - 60_000;
  const store = await openTestStore(join(directory.path, "state", "veriroute.db"), { clock });
  await store.saveTrip({
    scope: "target",
    subject,
    cause,
    detail: "d",
    opened_at,
    until_at,
    reopened: 0,
  });
  await store.close();
  const app = await start(directory.path, clock);
  const explained = async (stream: boolean) => {
    const response = await fetch(`${app.url}/v1/routing/explain`, {
      method: "POST",
      proxy: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat("pool:main", { stream })),
    });
    const { plan }: { plan: { candidates: { target: string; eligible: boolean }[] } } = JSON.parse(
      await response.text(),
    );
    return plan.candidates.map(({ target, eligible }) => [target, eligible]);
  };

  const whole = await explained(false);
  const stream = await explained(true);
  const moved = await ask(app, { stream: true });
  const last = await ask(app, { stream: true });
  await app.stop();

  expect(whole).toEqual([
    ["a:m", true],
    ["b:m", true],
  ]);
  expect(stream).toEqual([
    ["b:m", true],
    ["a:m", false],
  ]);
  // The first is asked and fails; then it cools down. The doubtful answer beats none.
  expect(moved).toEqual({ status: 200, target: "a:m" });
  expect(last).toEqual({ status: 200, target: "a:m" });
});
