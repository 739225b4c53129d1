import { expect, test } from "bun:test";
import { join } from "node:path";

import { createApp, type RunningApp } from "../../src/app.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { fine } from "../support/behaving-fleet.ts";
import { type MovedClock, movedClock } from "../support/moved-clock.ts";
import { chat, pool, provider } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";

const log = createLog({ level: "silent", destination: { write: () => undefined } });

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

let prompts = 0;
async function ask({ url }: RunningApp): Promise<string | null> {
  const messages = [{ role: "user", content: `question ${prompts++}` }];
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chat("pool:main", { messages })),
  });
  return response.headers.get("x-veriroute-target");
}

const items = async ({ url }: RunningApp, path: string): Promise<readonly object[]> =>
  JSON.parse(await (await fetch(`${url}/admin/v1/${path}`, { proxy: false })).text()).items;

test("a restart forgets neither trip nor baseline nor how far the trials have come", async () => {
  using directory = tempDir();
  let isIll = false;
  using a = scriptedUpstream((wire) => wire.json(completion(isIll ? "" : "hi")));
  using b = scriptedUpstream((wire) => fine(wire, false));
  const config = `${provider("a", a.base_url)}${provider("b", b.base_url)}${pool("a", "b")}`;
  await Bun.write(join(directory.path, "veriroute.toml"), config);
  const clock = movedClock();

  const first = await start(directory.path, clock);
  for (let n = 0; n < 60; n++) {
    clock.move(60_000);
    await ask(first);
  }
  isIll = true;
  for (let n = 0; n < 5; n++) await ask(first);
  const opened = await items(first, "breakers");
  await first.stop();

  isIll = false;
  const second = await start(directory.path, clock);
  const benched = await ask(second);
  clock.move(60_000);
  for (let n = 0; n < 3; n++) await ask(second);
  await second.stop();

  const third = await start(directory.path, clock);
  const trials = await items(third, "breakers");
  for (let n = 0; n < 2; n++) await ask(third);
  const left = await items(third, "breakers");
  const suspicions = await items(third, "breakers/suspicions");
  await third.stop();

  expect(opened).toMatchObject([{ subject: "a:m", cause: "signature:empty_200" }]);
  expect(benched).toBe("b:m");
  expect(trials).toMatchObject([{ subject: "a:m", state: "half_open", clean: 3 }]);
  expect(left).toEqual([]);
  expect(suspicions).toMatchObject([
    { subject: "a:m", signature: "empty_200", probation: 50, answers: 59 },
  ]);
});
