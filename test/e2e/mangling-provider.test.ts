import { expect, test } from "bun:test";

import { MOJIBAKE, says } from "../support/bad-answers.ts";
import { type Fleet, startFleet } from "../support/behaving-fleet.ts";
import { movedClock } from "../support/moved-clock.ts";
import { chat, startRouter, type TestRouter } from "../support/router.ts";

const MINUTE = 60_000;
const sound = says("It’s a café, naïve and all.");
const POOL = `[pools.two]
strategy = "round_robin"
affinity = "none"
targets = ["a:m", "a:n"]
[pools.all]
targets = ["a:m", "b:m"]
`;

let prompts = 0;
/** Asks for something new in plain ASCII, so that nothing can have come with the prompt. */
function ask(fleet: Fleet, { model = "pool:all", stream = false } = {}) {
  return fleet.ask({
    model,
    stream,
    more: { messages: [{ role: "user", content: `question ${prompts++}` }] },
  });
}

async function breakers({ get }: Pick<TestRouter, "get">) {
  const { items }: { items: { scope: string; subject: string; cause: string }[] } = JSON.parse(
    await (await get("/admin/v1/breakers")).text(),
  );
  return items.map(({ scope, subject, cause }) => ({ scope, subject, cause }));
}

const TRIPPED = [{ scope: "provider", subject: "a", cause: "signature:mojibake" }];

/** Asks two models of `a` by turns until something trips; what clients got by then. */
async function tripBoth(fleet: Fleet): Promise<void> {
  for (let n = 0; n < 12 && (await breakers(fleet.router)).length === 0; n++) {
    await ask(fleet, { model: "pool:two" });
  }
}

test("an instance that mangles whatever its models say is benched as one, and its neighbour is not", async () => {
  await using fleet = await startFleet({ a: says(MOJIBAKE), b: sound }, { config: POOL });

  await tripBoth(fleet);

  expect(await breakers(fleet.router)).toEqual(TRIPPED);
  expect(fleet.calls("a")).toBeLessThanOrEqual(8);
  expect((await ask(fleet)).target).toBe("b:m");
  expect(await fleet.reasons("b:m")).toEqual([]);
});

test("no client of a pool sees what one of its instances mangles", async () => {
  await using fleet = await startFleet({ a: says(MOJIBAKE), b: sound }, { config: POOL });

  const told = [];
  for (let n = 0; n < 10; n++) told.push(await ask(fleet, { stream: n % 2 === 1 }));

  expect(new Set(told.map(({ target }) => target))).toEqual(new Set(["b:m"]));
  expect(told.every(({ degraded }) => !degraded)).toBe(true);
  expect(await fleet.router.get("/metrics").then((response) => response.text())).toMatch(
    /^veriroute_mangled_output_warnings\{instance="a"\} [1-9]/m,
  );
});

test("it comes back after five answers that could have shown the fault", async () => {
  await using fleet = await startFleet({ a: says(MOJIBAKE), b: sound }, { config: POOL });
  await tripBoth(fleet);
  fleet.set("a", sound);
  fleet.clock.move(MINUTE + 10_000);

  const targets = [];
  for (let n = 0; n < 6; n++) targets.push((await ask(fleet)).target);

  expect(targets).toEqual(Array.from({ length: 6 }, () => "a:m"));
  expect(await breakers(fleet.router)).toEqual([]);
});

test("whole answers try whether it is sound again, not streams whose reader would find out first", async () => {
  await using fleet = await startFleet({ a: says(MOJIBAKE), b: sound }, { config: POOL });
  await tripBoth(fleet);
  fleet.clock.move(MINUTE + 10_000);

  const streamed = await ask(fleet, { stream: true });
  const whole = await ask(fleet);

  expect(streamed.attempts).toEqual(["b:m ok"]);
  expect(whole.attempts).toEqual(["a:m mangled", "b:m ok"]);
});

test("plain answers do not show that an encoding is sound again, until there is nothing else", async () => {
  await using fleet = await startFleet({ a: says(MOJIBAKE), b: sound }, { config: POOL });
  await tripBoth(fleet);
  fleet.set("a", says("plain"));
  fleet.clock.move(MINUTE + 10_000);

  for (let n = 0; n < 6; n++) await ask(fleet);
  const early = await breakers(fleet.router);
  fleet.clock.move(10 * MINUTE);
  for (let n = 0; n < 25; n++) {
    await ask(fleet);
    fleet.clock.move(10 * MINUTE);
  }

  expect(early).toEqual(TRIPPED);
  expect(await breakers(fleet.router)).toEqual([]);
});

test("one lost character is recorded and trips nothing", async () => {
  const lost = says("It\uFFFDs a caf\u00e9");
  await using fleet = await startFleet({ a: lost, b: sound }, { config: POOL });

  const { decision, target } = await ask(fleet);
  fleet.set("a", sound);
  for (let n = 0; n < 20; n++) await ask(fleet);

  expect(target).toBe("b:m");
  expect(decision.attempts[0]).toMatchObject({
    kind: "mangled",
    verification: { signature: "replacement_char", scope: "provider", trips: true },
  });
  expect(await breakers(fleet.router)).toEqual([]);
});

test("two unrelated providers that begin to mangle at once put the router under suspicion, not themselves", async () => {
  const clock = movedClock();
  await using router = await startRouter({
    clock,
    config: ["one", "two"]
      .map(
        (name) => `[providers.${name}]\ntype = "sim"\nbase_url = "http://${name}.sim.invalid/v1"\n`,
      )
      .join(""),
  });
  for (const name of ["one", "two"]) {
    router.app.simulator.setFault(name, "echo", { model: "mojibake" });
  }

  for (let n = 0; n < 12; n++) {
    const messages = [{ role: "user", content: `question ${n}` }];
    const model = n % 2 === 0 ? "one:echo" : "two:echo";
    await (await router.post("/v1/chat/completions", chat(model, { messages }))).text();
    clock.move(5000);
  }

  expect(await breakers(router)).toEqual([]);
  expect(await router.admin("/admin/v1/notifications?kind=rig_suspected")).toMatchObject({
    items: [{ kind: "rig_suspected" }],
  });
});
