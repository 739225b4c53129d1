import { expect, test } from "bun:test";
import { tmpdir, userInfo } from "node:os";

import { systemPause } from "../../../src/runtimes/pause.ts";

test("T12: a pause of more days than a timer can count does not end at once", async () => {
  const over = new AbortController();
  const ended: string[] = [];
  const pause = systemPause(2 ** 31 + 1, over.signal).then(() => ended.push("pause"));
  await systemPause(20);
  ended.push("20 ms");

  over.abort();
  await pause;

  expect(ended).toEqual(["20 ms", "pause"]);
});

test("T22: tests have a home and a state directory of their own, below the temporary ones", () => {
  const { HOME = "", VERIROUTE_STATE_DIR = "" } = process.env;

  expect([HOME, VERIROUTE_STATE_DIR].map((path) => path.startsWith(tmpdir()))).toEqual([
    true,
    true,
  ]);
  expect(HOME).not.toBe(userInfo().homedir);
});
