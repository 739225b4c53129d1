import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";

import { runBinary, startBinary } from "../support/binary.ts";
import { openChat, startLoad } from "../support/load.ts";
import { databaseIn, integrityOf, outcomesIn, runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

/** How long a decision may be on its way to the disk, ms. */
const ON_ITS_WAY_MS = 1000;
const OWED = 500;

test("a backup under load holds all but the last second, and the binary serves from it", async () => {
  using state = tempDir();
  using restored = tempDir();
  await using server = await startBinary([], runIn(state.path));
  const load = startLoad(server.url, { connections: 16 });
  const old = () => load.finished.filter(({ at }) => at < performance.now() - ON_ITS_WAY_MS);
  await until(() => old().length >= OWED);

  const owed = old();
  const file = restored.file("copy.db");
  const backup = await runBinary(["backup", file], runIn(state.path));
  await load.stop();

  expect(backup).toMatchObject({ code: 0, stderr: "" });
  expect(load.broken).toEqual([]);
  expect(load.finished.filter(({ status }) => status !== 200)).toEqual([]);
  expect(integrityOf(file)).toBe("ok");
  const outcomes = outcomesIn(file);
  expect(owed.filter(({ request_id }) => outcomes.get(request_id) !== "ok")).toEqual([]);

  copyFileSync(file, databaseIn(restored.path));
  await using second = await startBinary([], runIn(restored.path));
  expect((await openChat(second.url, { model: "sim:echo" })).status).toBe(200);
  const listed = await (await fetch(`${second.url}/admin/v1/decisions?limit=500`)).json();
  expect(listed).toMatchObject({ items: expect.any(Array), next: expect.any(String) });
}, 60_000);
