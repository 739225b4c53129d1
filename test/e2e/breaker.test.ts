import { expect, test } from "bun:test";

import { failing, fine, startFleet } from "../support/fleet.ts";

const MINUTE = 60_000;

/** Makes the failures of `a` a breaker's business at once, without cooldowns in between. */
const config = '[cooldowns]\nserver = "0s"\n[routing]\nretries = 0\n';

async function breakers(fleet: { router: { admin: (path: string) => Promise<unknown> } }) {
  const page: any = await fleet.router.admin("/admin/v1/breakers");
  return page.items;
}

test("a target that fails five times in a row is left alone for a minute, then tried by one request", async () => {
  await using fleet = await startFleet({ a: failing, b: fine }, { config });

  for (let n = 0; n < 8; n++) expect((await fleet.ask()).target).toBe("b:m");

  expect(fleet.calls("a")).toBe(5);
  expect(await fleet.reasons("a:m")).toEqual([
    {
      code: "breaker_open",
      detail: "failure_rate: 5 failures in a row, the last one server; a trial in 60 s",
    },
  ]);

  fleet.set("a", fine);
  fleet.clock.move(MINUTE - 1);
  expect((await fleet.ask()).target).toBe("b:m");
  fleet.clock.move(1);
  const trial = await fleet.ask();

  expect(trial).toMatchObject({ target: "a:m", degraded: false });
  expect(await breakers(fleet)).toEqual([]);
});
