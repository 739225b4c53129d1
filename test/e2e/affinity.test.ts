import { expect, test } from "bun:test";

import { type Fleet, startFleet } from "../support/fleet.ts";
import { chat } from "../support/router.ts";

const PATH = "/v1/chat/completions";
const CONFIG =
  '[pools.main]\nstrategy = "round_robin"\ntargets = ["a:m", "b:m", "c:m"]\n[cooldowns]\nrate_limit = "20s"\n';

/** Who answers a request of a session. */
async function turn({ router }: Fleet, session: string, more: object = {}) {
  const response = await router.post(PATH, chat("pool:main", { user: session, ...more }));
  await response.text();
  return response.headers.get("x-veriroute-target");
}

/** The plan's order and notes for a request of a session. */
async function preview(fleet: Fleet, session: string) {
  const asked = chat("pool:main", { user: session });
  const { body } = await fleet.call("POST", "/v1/routing/explain", asked);
  return { first: body.plan.candidates[0]?.target, notes: body.notes };
}

/** What the newest decision says of its plan. */
async function recorded({ router }: Fleet) {
  const text = JSON.stringify(await router.admin("/admin/v1/decisions?limit=1"));
  return JSON.parse(text).items[0]?.plan.notes;
}

function clockAt(start: number) {
  const time = { now: start };
  return { time, clock: { now: () => time.now, elapsed: () => time.now } };
}

test("a conversation stays where it began, whoever's turn it is, stream or not", async () => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: CONFIG });

  expect([await turn(fleet, "x"), await turn(fleet, "y"), await turn(fleet, "x")]).toEqual([
    "a:m",
    "b:m",
    "a:m",
  ]);
  expect(await turn(fleet, "y", { stream: true })).toBe("b:m");
  expect(await turn(fleet, "z")).toBe("c:m");
});

test.each([
  { name: "x-session-id", init: { headers: { "x-session-id": "s" } }, body: {} },
  { name: "x-session-affinity", init: { headers: { "x-session-affinity": "s" } }, body: {} },
  { name: "session_id", init: {}, body: { session_id: "s" } },
  { name: "prompt_cache_key", init: {}, body: { prompt_cache_key: "s" } },
  { name: "veriroute.session", init: {}, body: { veriroute: { session: "s" } } },
])("$name names a conversation", async ({ init, body }) => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: CONFIG });
  const served: (string | null)[] = [];
  for (let n = 0; n < 2; n++) {
    const response = await fleet.router.post(PATH, chat("pool:main", body), init);
    await response.text();
    served.push(response.headers.get("x-veriroute-target"));
  }

  expect(served).toEqual(["a:m", "a:m"]);
});

test("explaining pins nothing and moves nothing", async () => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: CONFIG });

  expect((await preview(fleet, "x")).first).toBe("a:m");
  expect(await turn(fleet, "other")).toBe("a:m");
  expect((await preview(fleet, "x")).first).toBe("b:m");
  expect(await turn(fleet, "x")).toBe("b:m");
  expect(await preview(fleet, "x")).toEqual({
    first: "b:m",
    notes: ["the session stays with `b:m`"],
  });
});

test("one rate limit sends a turn elsewhere, and the next one is back", async () => {
  const { time, clock } = clockAt(1_764_460_800_000);
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: CONFIG, clock });
  expect(await turn(fleet, "x")).toBe("a:m");
  fleet.script("a", (wire) => wire.json({ error: { message: "slow down" } }, 429));

  expect(await turn(fleet, "x")).not.toBe("a:m");
  expect(await recorded(fleet)).toEqual(["the session stays with `a:m`"]);
  expect((await preview(fleet, "x")).notes).toEqual([
    "the session goes elsewhere and stays pinned to `a:m`, turn 2 without it: cooldown",
  ]);
  fleet.script("a", (wire) =>
    wire.json({ choices: [{ index: 0, message: { role: "assistant", content: "hi" } }] }),
  );
  time.now += 60_000;

  expect(await turn(fleet, "x")).toBe("a:m");
});

test("a refused credential moves the conversation for good", async () => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: CONFIG });
  expect(await turn(fleet, "x")).toBe("a:m");
  fleet.script("a", (wire) => wire.json({ error: { message: "bad key" } }, 401));

  const next = await turn(fleet, "x");
  const { first, notes } = await preview(fleet, "x");
  const moved = await turn(fleet, "x");
  const kept = await recorded(fleet);

  expect(next).not.toBe("a:m");
  expect(notes).toEqual(["the session moves away from `a:m`: unusable_auth"]);
  expect(kept).toEqual(notes);
  expect(moved).toBe<unknown>(first);
  expect(await turn(fleet, "x")).toBe(moved);
});

test("a pool may keep no conversations, and without a name there is none", async () => {
  await using fleet = await startFleet({
    instances: ["a", "b", "c"],
    config: CONFIG.replace("[cooldowns]", 'affinity = "none"\n[cooldowns]'),
  });

  expect([await turn(fleet, "x"), await turn(fleet, "x"), await turn(fleet, "")]).toEqual([
    "a:m",
    "b:m",
    "c:m",
  ]);
});

test("the id of a session is nowhere in decisions or the log", async () => {
  await using fleet = await startFleet({ instances: ["a"], config: '[pools]\nmain = "a:m"\n' });
  await turn(fleet, "alice@example.org");
  const decisions = JSON.stringify(await fleet.router.admin("/admin/v1/decisions"));

  expect(decisions).toContain('"served":"a:m"');
  expect(decisions + fleet.router.log.join("")).not.toContain("alice");
});
