import { expect, test } from "bun:test";

import { startBinary } from "../support/binary.ts";
import { openChat, startLoad } from "../support/load.ts";
import { databaseIn, integrityOf, outcomesIn, runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

/** What a kill may lose, ms. */
const MAY_BE_LOST_MS = 1000;
const OWED = 500;
const broken = () => "broken";

test("a kill -9 under load costs at most the last second, and what was open is interrupted", async () => {
  using state = tempDir();
  const options = runIn(state.path);
  await using first = await startBinary([], options);
  const endless = "sim:story?tokens=1000&tokens_per_second=1";
  const stream = await openChat(first.url, { model: endless, stream: true }, "stream");
  const whole = openChat(first.url, { model: endless }, "whole").catch(broken);
  const load = startLoad(first.url, { connections: 16 });
  const old = () => load.finished.filter(({ at }) => at < performance.now() - MAY_BE_LOST_MS);
  await until(() => old().length >= OWED);

  const owed = old();
  first.signal("SIGKILL");
  await first.exited;
  await load.stop();
  expect([await stream.text().catch(broken), await whole]).toEqual(["broken", "broken"]);

  const path = databaseIn(state.path);
  expect(integrityOf(path)).toBe("ok");
  await using second = await startBinary([], options);
  const outcomes = outcomesIn(path);
  expect(owed.filter(({ request_id }) => outcomes.get(request_id) !== "ok")).toEqual([]);
  expect([outcomes.get("stream"), outcomes.get("whole")]).toEqual(["interrupted", "interrupted"]);
  expect([...outcomes.values()]).not.toContain("in_progress");
  expect((await openChat(second.url, { model: "sim:echo" })).status).toBe(200);
}, 60_000);
