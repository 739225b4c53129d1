import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { seededRandom } from "../../src/lib/random.ts";
import { type Behaviour, fine, type Fleet, startFleet } from "../support/behaving-fleet.ts";
import { openTestStore } from "../support/open-store.ts";
import { chat } from "../support/router.ts";
import { completion, streamOf } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A success without a word. */
const empty: Behaviour = (wire, stream) => {
  if (!stream) return wire.json(completion(""));
  wire.sse();
  wire.write(streamOf());
  wire.end();
};

/** Empty with a probability. */
function emptyAt(share: number, seed = 1): Behaviour {
  const random = seededRandom(seed);
  return (wire, stream) => (random() < share ? empty : fine)(wire, stream);
}

let prompts = 0;
/** Asks for something nobody has asked before: who repeats a prompt is one witness. */
function askAnew(fleet: Fleet, { stream = false, model = "pool:main" } = {}) {
  const messages = [{ role: "user", content: `question ${prompts++}` }];
  return fleet.ask({ stream, model, more: { messages } });
}

interface Breaker {
  readonly subject: string;
  readonly cause: string;
  readonly state: string;
  readonly reopened: number;
  readonly clean?: number;
}

async function breakers(fleet: Fleet): Promise<readonly Breaker[]> {
  const { items }: { items: readonly Breaker[] } = JSON.parse(
    await (await fleet.router.get("/admin/v1/breakers")).text(),
  );
  return items;
}

const isTripped = async (fleet: Fleet) => (await breakers(fleet)).length > 0;

const post = (fleet: Fleet, path: string, body: object) => fleet.router.post(path, body);

async function tripA(fleet: Fleet): Promise<void> {
  for (let n = 0; n < 20 && !(await isTripped(fleet)); n++) await askAnew(fleet);
}

describe.each([{ stream: false }, { stream: true }])(
  "empty answers, stream: $stream",
  ({ stream }) => {
    test("35 % of them bench the target within about twenty calls, and no client sees one", async () => {
      await using fleet = await startFleet({ a: emptyAt(0.35), b: fine });

      const told = [];
      while (!(await isTripped(fleet)) && told.length < 60)
        told.push(await askAnew(fleet, { stream }));
      const calls = fleet.calls("a");
      for (let n = 0; n < 5; n++) told.push(await askAnew(fleet, { stream }));

      expect(calls).toBeLessThan(35);
      expect(fleet.calls("a")).toBe(calls);
      expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
      expect(await breakers(fleet)).toMatchObject([
        { subject: "a:m", cause: "signature:empty_200", state: "open", reopened: 0 },
      ]);
    });

    test("the target comes back by itself after five clean answers, one at a time", async () => {
      await using fleet = await startFleet({ a: empty, b: fine });
      await tripA(fleet);
      fleet.set("a", fine);
      fleet.clock.move(MINUTE);

      const targets: (string | null)[] = [];
      for (let n = 0; n < 6; n++) targets.push((await askAnew(fleet, { stream })).target);

      expect(targets).toEqual(["a:m", "a:m", "a:m", "a:m", "a:m", "a:m"]);
      expect(await breakers(fleet)).toEqual([]);
    });

    test("a trial that fails is rescued too, and benches for twice as long", async () => {
      await using fleet = await startFleet({ a: empty, b: fine });
      await tripA(fleet);
      fleet.clock.move(MINUTE);

      const trial = await askAnew(fleet, { stream });

      expect(trial).toMatchObject({
        status: 200,
        target: "b:m",
        attempts: ["a:m malformed_empty", "b:m ok"],
      });
      expect(await breakers(fleet)).toMatchObject([{ subject: "a:m", state: "open", reopened: 1 }]);
    });
  },
);

test("while one request tries, the others go elsewhere, until the stream's last byte", async () => {
  const gate = Promise.withResolvers<void>();
  const slow: Behaviour = async (wire) => {
    wire.sse();
    const frames = streamOf("hi").split(/(?<=\n\n)/);
    wire.write(frames.slice(0, -1).join(""));
    await gate.promise;
    wire.write(frames.at(-1) ?? "");
    wire.end();
  };
  await using fleet = await startFleet({ a: empty, b: fine });
  await tripA(fleet);
  fleet.set("a", slow);
  fleet.clock.move(MINUTE);

  const trial = await fleet.router.post(
    "/v1/chat/completions",
    chat("pool:main", { stream: true, messages: [{ role: "user", content: "trial" }] }),
  );
  const beside = (await askAnew(fleet)).target;
  gate.resolve();
  await trial.text();
  fleet.set("a", fine);
  const after = (await askAnew(fleet)).target;

  expect([trial.headers.get("x-veriroute-target"), beside, after]).toEqual(["a:m", "b:m", "a:m"]);
});

test("a client that repeats its prompt is one witness", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });

  for (let n = 0; n < 15; n++) await fleet.ask();

  expect(await breakers(fleet)).toEqual([]);
});

describe("a pool with nothing else", () => {
  test("is served all the same, says so, and raises one alarm", async () => {
    await using fleet = await startFleet({ a: empty });
    await tripA(fleet);
    fleet.set("a", fine);

    const told = [await askAnew(fleet), await askAnew(fleet)];

    expect(told).toMatchObject([
      { status: 200, target: "a:m", degraded: true },
      { status: 200, target: "a:m", degraded: true },
    ]);
    const { items }: { items: { kind: string; text: string }[] } = JSON.parse(
      await (await fleet.router.get("/admin/v1/notifications?kind=degraded_service")).text(),
    );
    expect(items).toHaveLength(1);
    expect(items[0]?.text).toContain("Pool main has nothing left but a:m");
  });

  test("a client that names a tripped target gets it, without an alarm", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });
    await tripA(fleet);
    fleet.set("a", fine);

    const told = await askAnew(fleet, { model: "a:m" });

    expect(told).toMatchObject({ status: 200, target: "a:m", degraded: true });
    const answer = await fleet.router.get("/admin/v1/notifications?kind=degraded_service");
    expect(JSON.parse(await answer.text()).items).toEqual([]);
  });
});

test("explain tells why a target was passed over", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });
  await tripA(fleet);

  const { decision } = await askAnew(fleet);
  const explained = JSON.parse(await (await fleet.router.get("/v1/explain/routing")).text());

  expect(decision.plan.candidates[1]).toMatchObject({
    target: "a:m",
    eligible: false,
    reasons: [
      {
        layer: 5,
        code: "breaker_open",
        detail: "signature:empty_200: 4 bad answers, score 9.2; a trial in 60 s",
      },
    ],
  });
  expect(explained.breakers).toMatchObject([{ subject: "a:m", cause: "signature:empty_200" }]);
});

describe("an operator", () => {
  test("opens a breaker, which recovers like any other", async () => {
    await using fleet = await startFleet({ a: fine, b: fine });

    const opened = await post(fleet, "/admin/v1/breakers/trip", {
      subject: "a:m",
      signature: "empty_200",
      reason: "a drill",
    });
    const during = (await askAnew(fleet)).target;
    fleet.clock.move(MINUTE);
    for (let n = 0; n < 5; n++) await askAnew(fleet);

    expect(opened.status).toBe(201);
    expect([during, await breakers(fleet)]).toEqual(["b:m", []]);
    expect(await fleet.router.admin("/admin/v1/audit")).toMatchObject({
      items: [{ action: "breaker.trip", subject: "a:m", detail: "empty_200: a drill" }],
    });
  });

  test("closes one, and what was held against the target is gone with it", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });
    await tripA(fleet);

    const cleared = await post(fleet, "/admin/v1/breakers/clear", { subject: "a:m" });

    expect(JSON.parse(await cleared.text())).toEqual({
      subject: "a:m",
      signature: null,
      breakers: 1,
    });
    expect((await askAnew(fleet)).attempts).toEqual(["a:m malformed_empty", "b:m ok"]);
    expect(await breakers(fleet)).toEqual([]);
  });

  test("mutes a signature: the bench ends at once, and none follows until the mute is over", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });
    await tripA(fleet);

    const muted = await post(fleet, "/admin/v1/breakers/mutes", {
      subject: "a",
      signature: "empty_200",
      reason: "known",
      until: fleet.clock.now() + 60 * MINUTE,
    });
    for (let n = 0; n < 8; n++) await askAnew(fleet);
    const during = await breakers(fleet);
    fleet.clock.move(61 * MINUTE);
    await tripA(fleet);

    expect(muted.status).toBe(201);
    expect(during).toEqual([]);
    expect(await breakers(fleet)).toHaveLength(1);
    expect(await fleet.router.admin("/admin/v1/breakers/mutes")).toEqual({ items: [], next: null });
  });

  test("sees what is held against whom, before it comes to a trip", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });
    for (let n = 0; n < 2; n++) await askAnew(fleet);

    expect(await fleet.router.admin("/admin/v1/breakers/suspicions")).toMatchObject({
      items: [{ scope: "target", subject: "a:m", signature: "empty_200", hits: 2, score: 4.61 }],
    });
  });

  test.each<{ path: string; body: object; says: string; status?: number }>([
    { path: "trip", body: {}, says: "`subject` is missing", status: 400 },
    { path: "trip", body: { subject: "zz:m" }, says: "`signature` is missing", status: 400 },
    {
      path: "trip",
      body: { subject: "a:m", signature: "emty_200", reason: "r" },
      says: "near it: `empty_200`",
    },
    {
      path: "trip",
      body: { subject: "a:m", signature: "refusal_text", reason: "r" },
      says: "never benches anything",
    },
    {
      path: "trip",
      body: { subject: "a", signature: "empty_200", reason: "r" },
      says: "benches targets, not instances",
    },
    { path: "clear", body: { subject: "c:m" }, says: "no instance `c`" },
    { path: "mutes", body: { subject: "a", reason: "r", until: 1 }, says: "still to come" },
  ])("is told what is wrong with $body for $path", async ({ path, body, says, status = 422 }) => {
    await using fleet = await startFleet({ a: fine });

    const response = await post(fleet, `/admin/v1/breakers/${path}`, body);

    expect(response.status).toBe(status);
    expect(await response.text()).toContain(says);
  });
});

test("a trip that another process takes out of the store is over within a second", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });
  await tripA(fleet);
  const path = join(fleet.router.directory, "state", "veriroute.db");
  await using other = await openTestStore(path, { clock: fleet.clock });

  await other.dropTrip({ scope: "target", subject: "a:m", cause: "signature:empty_200" });

  await until(async () => !(await isTripped(fleet)));
});

test("a mute that another process makes ends the bench within a second", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });
  await tripA(fleet);
  const path = join(fleet.router.directory, "state", "veriroute.db");
  await using other = await openTestStore(path, { clock: fleet.clock });

  await other.addMute({
    id: "m1",
    scope: "target",
    subject: "a:m",
    signature: null,
    reason: "from elsewhere",
    created_at: fleet.clock.now(),
    until_at: null,
  });

  await until(async () => !(await isTripped(fleet)));
});
