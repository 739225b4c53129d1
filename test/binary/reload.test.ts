import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";

import { runBinary, type RunningBinary, startBinary } from "../support/binary.ts";
import { openChat } from "../support/load.ts";
import { provider } from "../support/router.ts";
import { chunk, scriptedUpstream, streamOf } from "../support/scripted-upstream.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

type Reload = (server: RunningBinary) => Promise<string>;

const WAYS: readonly { how: string; reload: Reload; refused: Reload }[] = [
  {
    how: "SIGHUP",
    reload: async (server) => {
      server.signal("SIGHUP");
      return (await server.saw(/config read again/))[0];
    },
    refused: async (server) => {
      server.signal("SIGHUP");
      return (await server.saw(/config not taken over, the running one stays:\n.*\n/))[0];
    },
  },
  {
    how: "POST /admin/v1/config/reload",
    reload: async (server) => postReload(server, 200),
    refused: async (server) => postReload(server, 422),
  },
];

async function postReload({ url }: RunningBinary, status: number): Promise<string> {
  const answer = await fetch(`${url}/admin/v1/config/reload`, { method: "POST" });
  expect(answer.status).toBe(status);
  return answer.text();
}

const poolOf = (name: string, base_url: string) =>
  `${provider(name, base_url)}\n[pools.main]\ntargets = ["${name}:m"]\n`;

test.each([...WAYS])(
  "$how: the new pool serves the next request, an open stream goes on, a bad file changes nothing",
  async ({ reload, refused }) => {
    using home = tempDir();
    const rest = Promise.withResolvers<void>();
    using old = scriptedUpstream(async (wire, { method }) => {
      if (method === "GET") return wire.json({ object: "list", data: [] });
      wire.sse();
      wire.write(chunk({ role: "assistant", content: "begun" }));
      await rest.promise;
      wire.write(`${chunk({ content: " and ended" })}${chunk({}, "stop")}data: [DONE]\n\n`);
      wire.end();
    });
    using fresh = scriptedUpstream((wire, { method }) => {
      if (method === "GET") return wire.json({ object: "list", data: [] });
      wire.sse();
      wire.write(streamOf("fresh"));
      wire.end();
    });
    const file = home.file("veriroute.toml");
    writeFileSync(file, poolOf("old", old.base_url));
    await using server = await startBinary(["--config", file], runIn(home.path));
    const ask = () => openChat(server.url, { model: "pool:main", stream: true });

    const open = await ask();
    writeFileSync(file, poolOf("fresh", fresh.base_url));
    await reload(server);
    const next = await ask();
    writeFileSync(file, `[pools.main]\ntargets = ["nowhere"]\nstrategy = "nearest"\n`);
    const complaint = await refused(server);
    const last = await ask();
    rest.resolve();

    const targets = [open, next, last].map(({ headers }) => headers.get("x-veriroute-target"));
    expect(targets).toEqual(["old:m", "fresh:m", "fresh:m"]);
    expect(complaint).toContain("veriroute.toml:");
    expect(complaint).toContain("pools.main.");
    const texts = await Promise.all([open, next, last].map((answer) => answer.text()));
    expect(texts[0]).toMatch(/begun[^]* and ended[^]*"stop"[^]*data: \[DONE\]\n\n$/);
    expect(texts.slice(1)).toEqual([streamOf("fresh"), streamOf("fresh")]);
  },
  30_000,
);

test("a key made or revoked by another process counts within a second", async () => {
  using home = tempDir();
  const options = runIn(home.path);
  await using server = await startBinary([], options);
  const status = async (key = "none") => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${server.url}/v1/models`, { headers })).status;
  };
  const untilStatusIs = async (wanted: number, key?: string) => {
    const began = performance.now();
    await until(async () => (await status(key)) === wanted);
    return performance.now() - began;
  };

  expect(await status()).toBe(200);
  const made = await runBinary(["keys", "create", "--scope", "client", "--json"], options);
  const { id, key } = JSON.parse(made.stdout);
  const closed_ms = await untilStatusIs(401);
  expect(await status(key)).toBe(200);
  await runBinary(["keys", "create", "--scope", "admin"], options);
  await runBinary(["keys", "revoke", id], options);
  const revoked_ms = await untilStatusIs(401, key);

  expect(closed_ms).toBeLessThan(1000);
  expect(revoked_ms).toBeLessThan(1000);
}, 30_000);
