import { expect, test } from "bun:test";

import { type Behaviour, fine, type Fleet, startFleet } from "../support/behaving-fleet.ts";
import { round } from "../support/canary/rounds.ts";
import { completion, streamOf } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;

const canary = (more = "") => `[canary]
enabled = true
models = ["a:m", "b:m"]
max_usd_per_day = 100
locales = ["pt"]
${more}
`;

/** A success without a word. */
const empty: Behaviour = (wire, stream) => {
  if (!stream) return wire.json(completion(""));
  wire.sse();
  wire.write(streamOf());
  wire.end();
};

let prompts = 0;
const askAnew = (fleet: Fleet) =>
  fleet.ask({ more: { messages: [{ role: "user", content: `question ${prompts++}` }] } });

interface Breaker {
  readonly subject: string;
  readonly state: string;
  readonly reopened: number;
}

async function breakers({ router }: Fleet): Promise<readonly Breaker[]> {
  const { items } = Object(await router.admin("/admin/v1/breakers"));
  return items;
}

/** Target `a` is benched for empty answers and, a minute later, half open. */
async function startTripped(config: string, then: Behaviour): Promise<Fleet> {
  const fleet = await startFleet({ a: fine, b: fine }, { config });
  if (config.includes("enabled = true")) await round(fleet.router);
  fleet.set("a", empty);
  while ((await breakers(fleet)).length === 0) await askAnew(fleet);
  fleet.set("a", then);
  return fleet;
}

const probesOf = async ({ router }: Fleet, since: number): Promise<readonly object[]> => {
  const { items } = Object(await router.admin("/admin/v1/canary/probes?endpoint=a:m&limit=50"));
  return items.filter(({ at }: { at: number }) => at >= since);
};

test("a watched target that is benched for its answers is asked by the canary until it is well", async () => {
  await using fleet = await startTripped(canary(), fine);
  const calls = fleet.calls("a");
  fleet.clock.move(MINUTE + 10_000);
  const half_open_at = fleet.clock.now();

  await until(async () => ((await breakers(fleet)).length === 0 ? true : undefined));

  const asked = await probesOf(fleet, half_open_at);
  expect(asked).toHaveLength(5);
  const question = { contract: "language", locale: "pt", attempt: 1, role: "watched" };
  expect(asked).toMatchObject(Array.from({ length: 5 }, () => question));
  expect(fleet.calls("a") - calls).toBe(5);
  const { spending } = Object(await fleet.router.admin("/admin/v1/canary"));
  expect(spending.by_instance).toContainEqual(expect.objectContaining({ instance: "a" }));
  expect((await askAnew(fleet)).target).toBe("a:m");
}, 30_000);

test("while it is asked no client is the one to try, and one bad answer benches it again", async () => {
  const gate = Promise.withResolvers<void>();
  await using fleet = await startTripped(canary(), async (wire, stream) => {
    await gate.promise;
    empty(wire, stream);
  });
  fleet.clock.move(MINUTE + 10_000);

  const reasons = await fleet.reasons("a:m");
  const served = await askAnew(fleet);
  gate.resolve();
  await until(async () => ((await breakers(fleet))[0]?.reopened === 1 ? true : undefined));

  expect(served.attempts).toEqual(["b:m ok"]);
  expect(reasons).toEqual([
    { code: "breaker_open", detail: expect.stringContaining("the canary asks whether it is over") },
  ]);
  expect(await breakers(fleet)).toMatchObject([{ subject: "a:m", state: "open", reopened: 1 }]);
}, 30_000);

test("where the canary gets no answer, clients try after twice the bench", async () => {
  await using fleet = await startTripped(
    canary().replace("max_usd_per_day = 100", "max_usd_per_day = 0.0000001"),
    fine,
  );
  fleet.clock.move(MINUTE + 10_000);
  const before = await askAnew(fleet);
  fleet.clock.move(2 * MINUTE);

  const after = await askAnew(fleet);

  expect([before.target, after.target]).toEqual(["b:m", "a:m"]);
});

test.each([
  { what: "the canary is off", config: "" },
  { what: "it is not watched", config: canary().replace('"a:m", "b:m"', '"b:m"') },
])("where $what, clients try as ever", async ({ config }) => {
  await using fleet = await startTripped(config, fine);
  fleet.clock.move(MINUTE + 10_000);

  expect((await askAnew(fleet)).target).toBe("a:m");
});
