import { expect, test } from "bun:test";

import { seededRandom } from "../../src/lib/random.ts";
import { says } from "../support/bad-answers.ts";
import { type Behaviour, fine } from "../support/behaving-fleet.ts";
import { movedClock } from "../support/moved-clock.ts";
import { observe } from "../support/observe.ts";
import { chat, provider, startRouter, type TestRouter } from "../support/router.ts";
import { scriptedUpstream } from "../support/scripted-upstream.ts";

const ILL = "nvidia/nemotron-3-nano-omni-30b-a3b-reasoning:free";
const WINDOW_MS = 25 * 60_000;
const CONFIG = `
[pools.main]
targets = ["nim:${ILL}", "hub:qwen3.6-35b"]
`;

/** What was measured: bad and good calls of each target. All were a 200. */
const TABLE = [
  { target: `nim:${ILL}`, bad: 38, good: 70 },
  { target: "hub:qwen3.6-35b", bad: 0, good: 18 },
  { target: "nim:deepseek-v4-flash", bad: 0, good: 8 },
  { target: "hub:z-ai/glm-5.3-flash", bad: 0, good: 2 },
];

const toolTurn = says("", {
  finish: "tool_calls",
  message: {
    tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
  },
});

const times = (count: number, call: { target: string; isBad: boolean }) =>
  Array.from({ length: count }, () => call);

/** The calls of the window in an order of chance; those of the ill target go through its pool. */
function calls(random: () => number) {
  return TABLE.flatMap(({ target, bad, good }) =>
    times(bad, { target, isBad: true }).concat(times(good, { target, isBad: false })),
  )
    .map((call) => ({ call, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ call }) => call);
}

async function trippedSubjects(router: TestRouter): Promise<readonly string[]> {
  const { items }: { items: readonly { subject: string }[] } = JSON.parse(
    await (await router.get("/admin/v1/breakers")).text(),
  );
  return items.map(({ subject }) => subject);
}

/** Plays the window; returns how many calls the ill target answered before it tripped. */
async function replay(seed: number, { good, stream }: { good: Behaviour; stream: boolean }) {
  const clock = movedClock();
  let isBad = false;
  let illCalls = 0;
  using nim = scriptedUpstream((wire, { body }) => {
    const isIll = new TextDecoder().decode(body).includes(ILL);
    if (isIll) illCalls++;
    if (!isIll) return fine(wire, stream);
    return (isBad ? says("") : good)(wire, stream);
  });
  using hub = scriptedUpstream((wire) => fine(wire, stream));
  await using router = await startRouter({
    clock,
    random: seededRandom(seed),
    config: provider("nim", nim.base_url) + provider("hub", hub.base_url) + CONFIG,
  });
  const tripped = new Set<string>();
  const texts: string[] = [];
  let callsToTrip = 0;
  const order = calls(seededRandom(seed));
  for (const [n, call] of order.entries()) {
    clock.move(Math.round(WINDOW_MS / order.length));
    isBad = call.isBad;
    const model = call.target === `nim:${ILL}` ? "pool:main" : call.target;
    const messages = [{ role: "user", content: `question ${n}` }];
    const response = await router.post("/v1/chat/completions", chat(model, { stream, messages }));
    texts.push(`${response.status} ${await response.text()}`);
    for (const subject of await trippedSubjects(router)) tripped.add(subject);
    if (callsToTrip === 0 && tripped.size > 0) callsToTrip = illCalls;
  }
  const decisions = await observe(router).decisions();
  return { tripped: [...tripped], callsToTrip, illCalls, texts, decisions };
}

test.each([
  { seed: 1, good: fine, stream: false },
  { seed: 2, good: fine, stream: true },
  { seed: 3, good: toolTurn, stream: false },
  { seed: 4, good: toolTurn, stream: true },
])(
  "the incident that nobody logged trips one target, takes nobody along, and no client sees it (seed $seed, stream: $stream)",
  async ({ seed, good, stream }) => {
    const { tripped, callsToTrip, illCalls, texts, decisions } = await replay(seed, {
      good,
      stream,
    });

    expect(tripped).toEqual([`nim:${ILL}`]);
    expect(callsToTrip).toBeGreaterThan(2);
    expect(callsToTrip).toBeLessThanOrEqual(25);
    expect(illCalls).toBeLessThan(100);
    const answered = /"content":"hi"|"tool_calls":/;
    expect(texts.filter((text) => !text.startsWith("200 ") || !answered.test(text))).toEqual([]);
    const rescued = decisions.filter(({ attempts }) => attempts.length > 1);
    expect(rescued.length).toBeGreaterThan(2);
    expect(new Set(rescued.map(({ served }) => served))).toEqual(new Set(["hub:qwen3.6-35b"]));
  },
  20_000,
);
