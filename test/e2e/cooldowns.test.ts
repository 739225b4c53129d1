import { describe, expect, test } from "bun:test";

import { type Behaviour, fine, refusing, startFleet } from "../support/behaving-fleet.ts";
import { chunk, completion } from "../support/scripted-upstream.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A choice in which the model refuses. */
const REFUSED = {
  index: 0,
  message: { role: "assistant", content: null, refusal: "I cannot help with that." },
  finish_reason: "stop",
};

const declining: Behaviour = (wire) => wire.json(completion("", { choices: [REFUSED] }));

const broken = refusing(500, { message: "no" });

const limited = (message: string, headers: Record<string, string> = {}) =>
  refusing(429, { code: 429, message }, headers);

describe("errors dressed as a success", () => {
  const error = { code: 429, message: "Rate limit exceeded", metadata: {} };
  test.each<{ what: string; behaviour: Behaviour; stream: boolean }>([
    { what: "a JSON body", behaviour: (wire) => wire.json({ error }), stream: false },
    {
      what: "the first event of a stream",
      behaviour: (wire) => {
        wire.sse();
        wire.write(`: PROCESSING\n\ndata: ${JSON.stringify({ error })}\n\n`);
        wire.end();
      },
      stream: true,
    },
  ])("$what that says 429 benches and moves like a 429", async ({ behaviour, stream }) => {
    await using fleet = await startFleet({ a: behaviour, b: fine });

    expect((await fleet.ask({ stream })).attempts).toEqual(["a:m rate_limit", "b:m ok"]);
    expect(await fleet.reasons("a:m")).toEqual([
      { code: "cooldown", detail: "20 s left after rate_limit" },
    ]);
  });
});

test("a stream that breaks after its first content moves nowhere and benches its target for 5 s", async () => {
  await using fleet = await startFleet({
    a: (wire) => {
      wire.sse();
      wire.write(chunk({ role: "assistant" }) + chunk({ content: "half" }));
      wire.end();
    },
    b: fine,
  });

  const told = await fleet.ask({ stream: true });

  expect(told).toMatchObject({ status: 200, code: "stream_interrupted" });
  expect(told.attempts).toEqual(["a:m stream_interrupted"]);
  expect(fleet.calls("b")).toBe(0);
  expect(await fleet.reasons("a:m")).toEqual([
    { code: "cooldown", detail: "5 s left after stream_interrupted" },
  ]);
});

describe("scope", () => {
  const models = '\n[pools.two]\ntargets = ["a:m", "a:n", "b:m"]\n';

  test.each<{ what: string; behaviour: Behaviour; calls: number }>([
    {
      what: "a limit of the whole account benches its other models",
      behaviour: limited("Rate limit exceeded: free-models-per-day"),
      calls: 1,
    },
    { what: "a limit of one model leaves the others alone", behaviour: limited("slow"), calls: 2 },
    {
      what: "an empty account benches its other models",
      behaviour: refusing(402, { message: "Insufficient credits" }),
      calls: 1,
    },
    {
      what: "an upstream's empty account behind an aggregator is not the aggregator's",
      behaviour: refusing(429, {
        message: "Error from provider",
        code: 429,
        metadata: {
          raw: JSON.stringify({
            error: { message: "suspended", type: "exceeded_current_quota_error" },
          }),
        },
      }),
      calls: 2,
    },
  ])("$what", async ({ behaviour, calls }) => {
    await using fleet = await startFleet({ a: behaviour, b: fine }, { config: models });

    expect((await fleet.ask({ model: "pool:two" })).target).toBe("b:m");

    expect(fleet.calls("a")).toBe(calls);
  });
});

describe("a refused credential", () => {
  const refused = refusing(401, { message: "no", code: "invalid_api_key" });

  test("gets one trial after ten minutes, the next after twenty", async () => {
    await using fleet = await startFleet({ a: refused, b: fine });
    await fleet.ask();

    const calls: number[] = [];
    for (const minutes of [9, 1, 0, 19, 1, 0]) {
      fleet.clock.move(minutes * MINUTE);
      await fleet.ask();
      calls.push(fleet.calls("a"));
    }

    expect(calls).toEqual([1, 2, 2, 2, 3, 3]);
  });

  test("is forgotten when a reload changes it, and only then", async () => {
    const key = 'api_key = "old-key"';
    await using fleet = await startFleet({ a: refused, b: fine }, { each: key });
    await fleet.ask();
    fleet.set("a", fine);
    const file = `${fleet.router.directory}/veriroute.toml`;
    const reload = () => fleet.router.get("/admin/v1/config/reload", { method: "POST" });

    await reload();
    expect((await fleet.ask()).target).toBe("b:m");
    await Bun.write(file, (await Bun.file(file).text()).replace("old-key", "new-key"));
    await reload();

    expect((await fleet.ask()).target).toBe("a:m");
  });

  test("is never a last resort", async () => {
    await using fleet = await startFleet({ a: refused });
    await fleet.ask();

    const told = await fleet.ask();

    expect(told).toMatchObject({ attempts: [], degraded: false });
    expect(fleet.calls("a")).toBe(1);
  });
});

describe("nothing but cooldowns", () => {
  test("of our own: one request is let through, marked, and its success lifts it", async () => {
    await using fleet = await startFleet({ a: refusing(500, { message: "no" }) });
    await fleet.ask();
    fleet.set("a", fine);

    expect(await fleet.ask()).toMatchObject({ status: 200, target: "a:m", degraded: true });
    expect(await fleet.ask()).toMatchObject({ status: 200, degraded: false });
  });

  test("the vendor's wait is kept, and told with every reason", async () => {
    await using fleet = await startFleet({
      a: limited("slow", { "retry-after": "50" }),
      b: limited("slow", { "retry-after": "30" }),
    });
    await fleet.ask();
    fleet.clock.move(10 * SECOND);

    const told = await fleet.ask();

    expect(told).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      retry_after: "20",
      should_retry: null,
      attempts: [],
      degraded: false,
    });
    expect(fleet.calls("a")).toBe(1);
    expect(
      told.decision.plan.candidates.map(({ reasons }) => reasons.map(({ detail }) => detail)),
    ).toEqual([["40 s left after rate_limit"], ["20 s left after rate_limit"]]);
  });
});

describe("policy", () => {
  test("cooldowns, retries and refusals are as the config says", async () => {
    const config =
      '[cooldowns]\nserver = "90s"\nrate_limit = "7s"\n[routing]\nretries = 0\non_refusal = "failover"\n';
    await using fleet = await startFleet(
      { a: refusing(500, { message: "x" }), b: fine },
      { config },
    );

    await fleet.ask();
    expect(fleet.calls("a")).toBe(1);
    expect(await fleet.reasons("a:m")).toEqual([
      { code: "cooldown", detail: "90 s left after server" },
    ]);

    fleet.clock.move(90 * SECOND);
    fleet.set("a", refusing(429, { message: "x" }));
    await fleet.ask();
    expect(await fleet.reasons("a:m")).toEqual([
      { code: "cooldown", detail: "7 s left after rate_limit" },
    ]);

    fleet.clock.move(7 * SECOND);
    fleet.set("a", refusing(403, { message: "flagged", metadata: { reasons: ["x"] } }));
    expect((await fleet.ask()).attempts).toEqual(["a:m moderation", "b:m ok"]);
  });

  describe("a refusal in a whole answer", () => {
    const failover = { config: '[routing]\non_refusal = "failover"\n' };

    test.each([
      { what: "goes to the client by default", more: {}, served: "a:m", calls: 0 },
      {
        what: "asks the next target where that is wanted",
        more: failover,
        served: "b:m",
        calls: 1,
      },
    ])("$what", async ({ more, served, calls }) => {
      await using fleet = await startFleet({ a: declining, b: fine }, more);

      expect((await fleet.ask()).decision).toMatchObject({ status: 200, served });
      expect(fleet.calls("b")).toBe(calls);
      expect(await fleet.reasons("a:m")).toEqual([]);
    });

    test.each<{ what: string; b: Behaviour }>([
      { what: "refuses as well", b: declining },
      { what: "fails", b: broken },
    ])("goes to the client after all if everybody else $what", async ({ b }) => {
      await using fleet = await startFleet({ a: declining, b }, failover);

      const told = await fleet.ask();

      expect(told).toMatchObject({ status: 200, target: "a:m" });
      expect(told.decision.served).toBe("a:m");
    });
  });

  test("a first choice that stops serving is warned of once", async () => {
    await using fleet = await startFleet({
      a: refusing(429, { message: "x" }, { "retry-after": "3600" }),
      b: fine,
    });

    for (let n = 0; n < 15; n++) await fleet.ask();

    const warnings = fleet.router.log.filter((line) => line.includes("first choice"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"first_choice":"a:m"');
  });
});

test("of two benches of one target the longer one says what its clients are told", async () => {
  await using fleet = await startFleet({ a: refusing(503, { message: "overloaded" }) });
  await fleet.ask({ model: "a:m" });
  fleet.set("a", refusing(402, { message: "Insufficient credits" }));
  await fleet.ask({ model: "a:m" });

  const told = await fleet.ask({ model: "a:m" });

  expect(told).toMatchObject({ status: 402, code: "insufficient_credits", retry_after: null });
  expect(told.attempts).toEqual([]);
});
