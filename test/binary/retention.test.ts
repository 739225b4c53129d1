import { expect, test } from "bun:test";
import { statSync } from "node:fs";

import { startBinary } from "../support/binary.ts";
import { fillWithExpired } from "../support/expired-decisions.ts";
import { startLoad } from "../support/load.ts";
import { databaseIn, integrityOf, outcomesIn, runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";

const EXPIRED = 100_000;

test("expired decisions go while requests flow, and their space is given back", async () => {
  using state = tempDir();
  const path = databaseIn(state.path);
  fillWithExpired(path, EXPIRED);
  const sizeBefore = statSync(path).size;
  await using server = await startBinary([], runIn(state.path));
  const load = startLoad(server.url, { connections: 4 });

  const answer = await fetch(`${server.url}/admin/v1/store/prune`, { method: "POST" });
  const pruned = await answer.json();
  const during = load.finished.length;
  await load.stop();
  server.signal("SIGTERM");
  await server.exited;

  expect(pruned).toEqual({ deleted: EXPIRED, size_bytes: expect.any(Number) });
  expect(during).toBeGreaterThan(100);
  expect(load.broken).toEqual([]);
  expect(load.finished.filter(({ status }) => status !== 200)).toEqual([]);
  expect(statSync(path).size).toBeLessThan(sizeBefore / 2);
  expect(integrityOf(path)).toBe("ok");
  const outcomes = outcomesIn(path);
  expect(load.finished.filter(({ request_id }) => outcomes.get(request_id) !== "ok")).toEqual([]);
}, 60_000);
