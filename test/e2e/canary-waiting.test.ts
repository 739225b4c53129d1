import { expect, test } from "bun:test";

import { startApi } from "../support/api-server.ts";

test("a canary whose state cannot be read yet is no canary that is off", async () => {
  const canary = {
    status: () => null,
    isWaiting: () => true,
    suspensions: () => [],
    run: () => null,
    dryRun: () => Promise.reject(new Error("not of this test")),
    lift: async () => null,
  };
  await using api = await startApi({ canary });

  const shown = await (await api.call("/admin/v1/canary")).json();
  const run = await api.send("/admin/v1/canary/run", {});
  const lift = await api.send("/admin/v1/canary/lift", { endpoint: "nim:m" });

  expect(shown).toMatchObject({ enabled: true, round: null });
  expect([run.status, Object(await run.json()).error.code]).toEqual([503, "store_unavailable"]);
  expect([lift.status, Object(await lift.json()).error.code]).toEqual([503, "store_unavailable"]);
});
