import { describe, expect, test } from "bun:test";

import {
  type Behaviour,
  failing,
  fine,
  type Fleet,
  refusing,
  startFleet,
} from "../support/behaving-fleet.ts";
import { chat } from "../support/router.ts";
import { chunk } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Leaves failures to the breaker: no cooldown in between, one call a request. */
const config = '[cooldowns]\nserver = "0s"\n[routing]\nretries = 0\n';

interface Item {
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
  readonly reopened: number;
  readonly until_at: number;
}

async function breakers({ router, clock }: Fleet) {
  const response = await router.get("/admin/v1/breakers");
  const { items }: { items: readonly Item[] } = JSON.parse(await response.text());
  return items.map(({ subject, state, reopened, until_at }) => ({
    subject,
    state,
    reopened,
    seconds: Math.round((until_at - clock.now()) / SECOND),
  }));
}

async function failUntilOpen(fleet: Fleet, stream = false): Promise<void> {
  for (let n = 0; n < 5; n++) await fleet.ask({ stream });
}

const hanging: Behaviour = () => undefined;

describe("opening", () => {
  test.each([{ stream: false }, { stream: true }])(
    "five failures in a row open it, $stream for a stream, and no further call gets there",
    async ({ stream }) => {
      await using fleet = await startFleet({ a: failing, b: fine }, { config });

      for (let n = 0; n < 8; n++) expect((await fleet.ask({ stream })).target).toBe("b:m");

      expect(fleet.calls("a")).toBe(5);
      expect(await breakers(fleet)).toEqual([
        { subject: "a:m", state: "open", reopened: 0, seconds: 60 },
      ]);
      expect(await fleet.reasons("a:m")).toEqual([
        {
          code: "breaker_open",
          detail: "failure_rate: 5 failures in a row, the last one server; a trial in 60 s",
        },
      ]);
    },
  );

  test("half of ten calls opens it as well", async () => {
    await using fleet = await startFleet({ a: fine, b: fine }, { config });

    for (let n = 0; n < 5; n++) {
      fleet.set("a", fine);
      await fleet.ask();
      fleet.set("a", failing);
      await fleet.ask();
    }

    expect(fleet.calls("a")).toBe(10);
    expect((await fleet.reasons("a:m"))[0]?.detail).toContain("5 of 10 calls failed within 60 s");
  });

  test.each<{ what: string; behaviour: Behaviour }>([
    { what: "a client's mistake", behaviour: refusing(400, { message: "no such role" }) },
    {
      what: "a prompt that a vendor's filter stops",
      behaviour: refusing(400, {
        code: "content_filter",
        message: "The response was filtered due to the prompt triggering the policy.",
      }),
    },
    {
      what: "a prompt that is too long",
      behaviour: refusing(400, { code: "context_length_exceeded", message: "too long" }),
    },
  ])("a storm of $what opens nothing and benches nobody", async ({ behaviour }) => {
    await using fleet = await startFleet({ a: behaviour });

    await Promise.all(Array.from({ length: 50 }, () => fleet.ask()));
    fleet.set("a", fine);

    expect(await fleet.reasons("a:m")).toEqual([]);
    expect(await fleet.ask()).toMatchObject({ status: 200, target: "a:m", degraded: false });
  });

  test("clients that leave open nothing", async () => {
    await using fleet = await startFleet({ a: hanging });

    for (let n = 0; n < 12; n++) {
      const gone = new AbortController();
      const asked = fleet.router.post("/v1/chat/completions", chat("pool:main"), {
        signal: gone.signal,
      });
      await until(() => (fleet.calls("a") > n ? true : undefined));
      gone.abort();
      await asked.catch(() => undefined);
    }

    expect(await breakers(fleet)).toEqual([]);
    expect(await fleet.reasons("a:m")).toEqual([]);
  });

  test("its opening and its closing are in the log", async () => {
    await using fleet = await startFleet({ a: failing, b: fine }, { config });

    await failUntilOpen(fleet);
    fleet.set("a", fine);
    fleet.clock.move(MINUTE);
    await fleet.ask();

    const lines = fleet.router.log.filter((line) => line.includes("breaker "));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"subject":"a:m"');
    expect(lines[0]).toContain('"msg":"breaker opened"');
    expect(lines[1]).toContain('"msg":"breaker closed"');
  });
});

describe("half open", () => {
  test("it waits for its time, then one success closes it", async () => {
    await using fleet = await startFleet({ a: failing, b: fine }, { config });
    await failUntilOpen(fleet);
    fleet.set("a", fine);

    fleet.clock.move(MINUTE - 1);
    expect((await fleet.ask()).target).toBe("b:m");
    fleet.clock.move(1);

    expect(await fleet.ask()).toMatchObject({ target: "a:m", degraded: false });
    expect(await breakers(fleet)).toEqual([]);
  });

  test("a trial that fails opens it for twice as long, with one call only", async () => {
    await using fleet = await startFleet(
      { a: failing, b: fine },
      { config: '[cooldowns]\nserver = "0s"\n' },
    );
    await failUntilOpen(fleet);
    const before = fleet.calls("a");

    fleet.clock.move(MINUTE);
    expect((await fleet.ask()).target).toBe("b:m");
    expect((await fleet.ask()).target).toBe("b:m");

    expect(fleet.calls("a")).toBe(before + 1);
    expect(await breakers(fleet)).toEqual([
      { subject: "a:m", state: "open", reopened: 1, seconds: 120 },
    ]);
  });

  test("of a hundred requests at once one is the trial, the others go elsewhere", async () => {
    await using fleet = await startFleet({ a: failing, b: fine }, { config });
    await failUntilOpen(fleet);
    const held: (() => void)[] = [];
    fleet.set("a", (wire, stream) => void held.push(() => fine(wire, stream)));
    fleet.clock.move(MINUTE);

    const asked = Array.from({ length: 100 }, () => fleet.ask());
    await until(() => (held.length > 0 ? true : undefined));
    await until(() => (fleet.calls("b") === 5 + 99 ? true : undefined));
    expect(held).toHaveLength(1);
    expect(await fleet.reasons("a:m")).toMatchObject([{ code: "breaker_open" }]);
    for (const answer of held) answer();
    const targets = (await Promise.all(asked)).map(({ target }) => target);

    expect(targets.filter((target) => target === "a:m")).toHaveLength(1);
    expect(fleet.calls("a")).toBe(6);
  });

  test("without anywhere else to go the others are told to wait", async () => {
    await using fleet = await startFleet({ a: failing }, { config });
    await failUntilOpen(fleet);
    const held: (() => void)[] = [];
    fleet.set("a", (wire, stream) => void held.push(() => fine(wire, stream)));
    fleet.clock.move(MINUTE);

    const first = fleet.ask();
    await until(() => (held.length > 0 ? true : undefined));
    const second = await fleet.ask();
    for (const answer of held) answer();

    expect(second).toMatchObject({
      status: 503,
      code: "no_target_available",
      retry_after: "1",
      should_retry: null,
      attempts: [],
    });
    expect((await first).status).toBe(200);
  });

  test("a trial whose client leaves makes way for the next", async () => {
    await using fleet = await startFleet({ a: failing }, { config });
    await failUntilOpen(fleet);
    fleet.set("a", hanging);
    fleet.clock.move(MINUTE);
    const gone = new AbortController();
    const asked = fleet.router.post("/v1/chat/completions", chat("pool:main"), {
      signal: gone.signal,
    });
    await until(() => (fleet.calls("a") === 6 ? true : undefined));

    gone.abort();
    await asked.catch(() => undefined);
    fleet.set("a", fine);

    await until(async () => ((await fleet.ask()).status === 200 ? true : undefined));
    expect(await breakers(fleet)).toEqual([]);
  });

  test("the first content of a stream closes it, so that a long answer keeps nobody out", async () => {
    await using fleet = await startFleet({ a: failing }, { config });
    await failUntilOpen(fleet);
    const held: (() => void)[] = [];
    fleet.set("a", (wire) => {
      wire.sse();
      wire.write(chunk({ role: "assistant" }) + chunk({ content: "long" }));
      held.push(() => wire.end());
    });
    fleet.clock.move(MINUTE);

    const streaming = await fleet.router.post(
      "/v1/chat/completions",
      chat("pool:main", { stream: true }),
    );
    fleet.set("a", fine);
    expect(await breakers(fleet)).toEqual([]);
    const meanwhile = await fleet.ask();
    for (const end of held) end();
    await streaming.text();

    expect(meanwhile).toMatchObject({ status: 200, target: "a:m", degraded: false });
  });

  test("a trial that meets a rate limit shows the rate limit, no longer the breaker", async () => {
    await using fleet = await startFleet({ a: failing, b: fine }, { config });
    await failUntilOpen(fleet);
    fleet.set("a", refusing(429, { message: "slow down" }, { "retry-after": "30" }));

    fleet.clock.move(MINUTE);
    await fleet.ask();

    expect(await fleet.reasons("a:m")).toEqual([
      { code: "cooldown", detail: "30 s left after rate_limit" },
    ]);
    expect(await breakers(fleet)).toEqual([]);
  });
});

describe("nothing else eligible", () => {
  test("one request at a time gets through an open breaker, marked, and its success closes it", async () => {
    await using fleet = await startFleet({ a: failing, b: failing }, { config });
    await failUntilOpen(fleet);
    const held: (() => void)[] = [];
    const hold: Behaviour = (wire, stream) => void held.push(() => fine(wire, stream));
    fleet.set("a", hold);
    fleet.set("b", hold);

    const first = fleet.ask();
    await until(() => (held.length > 0 ? true : undefined));
    const others = await Promise.all([fleet.ask(), fleet.ask()]);
    for (const answer of held) answer();

    expect(others).toMatchObject([
      { status: 503, code: "no_target_available", retry_after: "60", attempts: [] },
      { status: 503, code: "no_target_available", retry_after: "60", attempts: [] },
    ]);
    expect(await first).toMatchObject({ status: 200, degraded: true });
    expect(held).toHaveLength(1);
    fleet.set("a", fine);
    expect(await fleet.ask()).toMatchObject({ status: 200, target: "a:m", degraded: false });
  });

  test("clients that name the target get it, however many, whatever the breaker says", async () => {
    await using fleet = await startFleet({ a: failing }, { config });
    await failUntilOpen(fleet);
    const held: (() => void)[] = [];
    fleet.set("a", (wire, stream) => void held.push(() => fine(wire, stream)));

    const asked = [fleet.ask({ model: "a:m" }), fleet.ask({ model: "a:m" })];
    await until(() => held.length === 2);
    for (const answer of held) answer();

    expect(await Promise.all(asked)).toMatchObject([
      { status: 200, degraded: true },
      { status: 200, degraded: true },
    ]);
  });
});

test("an operator's clearing closes breakers and is written down", async () => {
  await using fleet = await startFleet({ a: failing, b: fine }, { config });
  await failUntilOpen(fleet);

  const cleared = await fleet.router.post("/admin/v1/health/clear", { subject: "a:m" });

  expect(await cleared.json()).toEqual({ subject: "a:m", cooldowns: 0, breakers: 1 });
  expect(await breakers(fleet)).toEqual([]);
  expect(await fleet.router.admin("/admin/v1/audit")).toMatchObject({
    items: [
      {
        actor: "anonymous",
        action: "health.clear",
        subject: "a:m",
        detail: "0 cooldowns, 1 breakers",
      },
    ],
  });
});

test.each([
  { subject: "z", says: "there is no instance `z`" },
  { subject: "a:", says: "nothing follows" },
  { subject: ":m", says: "cannot name an instance" },
])("$subject cannot be cleared", async ({ subject, says }) => {
  await using fleet = await startFleet({ a: fine });

  const answer = await fleet.router.post("/admin/v1/health/clear", { subject });

  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain(says);
});
