import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { Value } from "@sinclair/typebox/value";

import { providerType } from "../../../src/catalog/provider-types.ts";
import { Config } from "../../../src/config/schema.ts";
import { type Balances, createBalances } from "../../../src/control/balances.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import type { Instance } from "../../../src/upstream/instance.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { attemptEvent } from "../../support/events.ts";
import { identity, sampleInstance } from "../upstream/samples.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const START = 1_764_460_800_000;
const MINUTE = 60_000;
const STEP_MS = 30_000;

function instance(name: string, type = "vercel", changes: Partial<Instance> = {}): Instance {
  const found = providerType(type);
  if (found === undefined) throw new Error(`no type ${type}`);
  const base_url = `https://${name}.example/v1`;
  return sampleInstance({ name, type: found, base_url, ...changes });
}

interface Rig {
  readonly balances: Balances;
  readonly urls: string[];
  readonly registry: ReturnType<typeof createRegistry>;
  /** What vendors answer from now on; a string is a balance, a number a status. */
  answer: string | number | (() => Promise<Response>);
  /** Lets time pass, timers and answers included. */
  pass(ms: number): Promise<void>;
}

interface Given {
  readonly instances?: readonly Instance[];
  readonly balances?: object;
  readonly pools?: object;
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

function rig({ instances = [instance("gate")], balances = {}, pools = {} }: Given = {}): Rig {
  let elapsed = 0;
  // Each section may be left out of a file, so each has defaults.
  const sections = Object.fromEntries(Object.keys(Config.properties).map((name) => [name, {}]));
  const config = Value.Parse(Config, { ...sections, balances, pools });
  const registry = createRegistry();
  registry.replaceConfigured(instances);
  const urls: string[] = [];
  const fetch: Fetch = (url) => {
    urls.push(url);
    const { answer } = made;
    if (typeof answer === "function") return answer();
    return Promise.resolve(
      typeof answer === "number"
        ? new Response("", { status: answer })
        : Response.json({ balance: answer }),
    );
  };
  const made: Rig = {
    urls,
    registry,
    answer: "5.00",
    balances: createBalances({
      registry,
      config: () => config,
      fetch,
      identity,
      clock: { now: () => START + elapsed, elapsed: () => elapsed },
    }),
    async pass(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        elapsed += Math.min(left, STEP_MS);
        jest.advanceTimersByTime(Math.min(left, STEP_MS));
        await settle();
      }
    },
  };
  return made;
}

const use = (made: Rig, name = "gate") => made.balances.sink.record(attemptEvent({}, name));
const state = (made: Rig, name = "gate") =>
  made.balances.views().find((view) => view.instance === name)?.state;

test("nobody is asked before anyone uses it, and that shows", async () => {
  const made = rig({ instances: [instance("gate"), instance("oai", "openai")] });
  made.balances.start();

  await made.pass(30 * MINUTE);

  expect(made.urls).toEqual([]);
  expect(made.balances.views()).toEqual([
    {
      instance: "gate",
      state: "not_asked",
      amount: null,
      unit: null,
      at: null,
      asked_at: null,
      reason: null,
    },
    {
      instance: "oai",
      state: "no_probe",
      amount: null,
      unit: null,
      at: null,
      asked_at: null,
      reason: null,
    },
  ]);
});

test("an instance in use is asked at every interval, and no more once it rests", async () => {
  const made = rig({ balances: { interval: "20m" } });
  made.balances.start();
  use(made);

  await made.pass(59 * MINUTE);
  expect(made.urls).toEqual(Array(3).fill("https://gate.example/v1/credits"));
  expect(made.balances.balanceOf("gate")).toMatchObject({ amount: 5, unit: "usd" });

  await made.pass(120 * MINUTE);
  expect(made.urls.length).toBe(3);
  expect(made.balances.balanceOf("gate")).toBeNull();
  expect(state(made)).toBe("unknown");
});

test("a pool that ranks by balance has all asked at the start", async () => {
  const made = rig({ pools: { rich: { strategy: "most_credits", targets: ["gate:m"] } } });

  made.balances.start();
  await settle();

  expect(made.balances.balanceOf("gate")).toEqual({ amount: 5, unit: "usd", at: START });
  expect(made.balances.balanceOf("GATE")).not.toBeNull();
});

test("the timer asks nobody where the config says so", async () => {
  const made = rig({
    balances: { enabled: false },
    pools: { rich: { strategy: "most_credits", targets: ["gate:m"] } },
  });

  made.balances.start();
  await made.pass(20 * MINUTE);

  expect(made.urls).toEqual([]);
});

test("calls stay within the hour's budget, and the longest unasked come first", async () => {
  const made = rig({
    instances: ["a", "b", "c"].map((name) => instance(name)),
    balances: { max_per_hour: 2, interval: "10m" },
    pools: { rich: { strategy: "most_credits", targets: ["a:m"] } },
  });
  made.balances.start();

  await made.pass(59 * MINUTE);
  expect(made.urls.map((url) => new URL(url).hostname)).toEqual(["a.example", "b.example"]);

  await made.pass(2 * MINUTE);
  expect(made.urls.map((url) => new URL(url).hostname)).toEqual([
    "a.example",
    "b.example",
    "c.example",
    "a.example",
  ]);
});

test("a vendor that takes two calls waits until the budget has both", async () => {
  const made = rig({
    instances: [instance("or", "openrouter")],
    balances: { max_per_hour: 1 },
    pools: { rich: { strategy: "most_credits", targets: ["or:m"] } },
  });
  made.balances.start();

  await made.pass(10 * MINUTE);

  expect(made.urls).toEqual([]);
});

test("an account that a vendor calls empty is empty at once, until it is asked again", async () => {
  const made = rig({ balances: { interval: "10m" } });
  made.balances.start();
  use(made);
  await made.pass(5000);

  made.balances.recordEmpty("gate");
  expect(made.balances.balanceOf("gate")).toMatchObject({ amount: 0, unit: "usd" });

  made.answer = "20.00";
  await made.pass(10 * MINUTE);
  expect(made.balances.balanceOf("gate")).toMatchObject({ amount: 20 });
});

test("an account without a probe can be known to be empty, for an hour", async () => {
  const made = rig({ instances: [instance("oai", "openai")] });

  made.balances.recordEmpty("oai");
  made.balances.recordEmpty("nobody");

  expect(state(made, "oai")).toBe("known");
  await made.pass(61 * MINUTE);
  expect(state(made, "oai")).toBe("no_probe");
});

test("an answer that was under way does not fill an account that turned out empty", async () => {
  const made = rig();
  const { promise, resolve } = Promise.withResolvers<Response>();
  made.answer = () => promise;
  const probing = made.balances.probeNow("gate");

  await made.pass(1000);
  made.balances.recordEmpty("gate");
  resolve(Response.json({ balance: "5.00" }));
  await probing;

  expect(made.balances.balanceOf("gate")).toMatchObject({ amount: 0 });
});

test("what failed is unknown with its reason; what was known before stays until it is old", async () => {
  const made = rig();
  await made.balances.probeNow();
  made.answer = 403;

  expect(await made.balances.probeNow("gate")).toEqual([
    {
      instance: "gate",
      state: "known",
      amount: 5,
      unit: "usd",
      at: START,
      asked_at: START,
      reason: "refused the credential (HTTP 403)",
    },
  ]);
  await made.pass(61 * MINUTE);
  expect(state(made)).toBe("unknown");
});

test("asking by hand asks all that can be asked, spends the budget and is not stopped by it", async () => {
  const made = rig({
    instances: [
      instance("gate"),
      instance("oai", "openai"),
      instance("broken", "vercel", { problem: { code: "missing_credential", message: "no" } }),
    ],
    balances: { max_per_hour: 1, enabled: false },
  });

  const views = await made.balances.probeNow();
  await made.balances.probeNow("GATE");

  expect(views?.map((view) => [view.instance, view.state])).toEqual([
    ["gate", "known"],
    ["oai", "no_probe"],
    ["broken", "not_asked"],
  ]);
  expect(made.urls.length).toBe(2);
  expect(await made.balances.probeNow("nobody")).toBeUndefined();
});

test("who asks while a call is under way gets its answer", async () => {
  const made = rig();
  const { promise, resolve } = Promise.withResolvers<Response>();
  made.answer = () => promise;

  const both = Promise.all([made.balances.probeNow("gate"), made.balances.probeNow("gate")]);
  resolve(Response.json({ balance: "5.00" }));
  const [first, second] = await both;

  expect(first).toEqual(second);
  expect(made.urls.length).toBe(1);
});

test("another credential is another account; a reload of the same keeps it", async () => {
  const made = rig();
  await made.balances.probeNow();

  made.registry.replaceConfigured([instance("gate")]);
  expect(state(made)).toBe("known");

  made.registry.replaceConfigured([instance("gate", "vercel", { credential: "sk-other" })]);
  expect(state(made)).toBe("not_asked");
  expect(made.balances.balanceOf("gate")).toBeNull();
});

test("after the end nobody is asked", async () => {
  const made = rig({ pools: { rich: { strategy: "most_credits", targets: ["gate:m"] } } });

  made.balances.start();
  await settle();
  made.balances.stop();
  made.balances.start();
  await made.pass(60 * MINUTE);

  expect(made.urls.length).toBe(1);
});
