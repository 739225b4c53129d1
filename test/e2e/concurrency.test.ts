import { expect, test } from "bun:test";

import { HALF, sse } from "../support/failing.ts";
import { errorOf, observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

test("one request more than `max_in_flight` is told to wait a second, and charged to nobody", async () => {
  const held: Wire[] = [];
  using upstream = scriptedUpstream((wire) => {
    sse(wire, HALF);
    held.push(wire);
  });
  await using router = await startRouter({
    config: `[server]\nmax_in_flight = 3\n${provider("a", upstream.base_url)}`,
  });
  const ask = () => router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  const open = await Promise.all([ask(), ask(), ask()]);

  const refused = await ask();
  for (const wire of held) wire.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
  await Promise.all(open.map((response) => response.text()));
  const late = await ask();

  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("x-should-retry")).toBeNull();
  expect(await errorOf(refused)).toMatchObject({ code: "router_busy" });
  expect(await observe(router).decision(refused.headers.get("x-veriroute-decision"))).toMatchObject(
    {
      outcome: "failed",
      status: 503,
      attempts: [],
    },
  );
  expect(late.status).toBe(200);
  expect((await observe(router).health()).map(({ eligible }) => eligible)).toEqual([true]);
  await late.body?.cancel();
});

test("a body that is still on its way counts as open", async () => {
  await using router = await startRouter({ config: "[server]\nmax_in_flight = 1\n" });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("sim:echo")).slice(0, -1));

  const refused = await until(async () => {
    const response = await router.post("/v1/chat/completions", chat("sim:echo"));
    return response.status === 503 ? response : undefined;
  });
  client.leave();
  const answered = await until(async () => {
    const response = await router.post("/v1/chat/completions", chat("sim:echo"));
    return response.status === 200 ? response : undefined;
  });

  expect(await errorOf(refused)).toMatchObject({ code: "router_busy" });
  expect(answered.status).toBe(200);
});

test("many requests at once through a target that fails every third: all answered, counters back to zero", async () => {
  // `bun test` caps the fetches of the whole process at 256, ours and the router's together.
  const count = 120;
  let calls = 0;
  using flaky = scriptedUpstream((wire) =>
    calls++ % 3 === 0 ? wire.reset() : wire.json(completion("fine")),
  );
  using steady = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({
    config: provider("a", flaky.base_url) + provider("b", steady.base_url) + pool("a", "b"),
  });
  const { health, inFlight, decisions } = observe(router);

  const answers = await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await router.post("/v1/chat/completions", chat("pool:main"));
      await response.text();
      return response.status;
    }),
  );

  expect(new Set(answers)).toEqual(new Set([200]));
  expect((await health()).map(({ in_flight }) => in_flight)).toEqual([0, 0]);
  expect(await inFlight()).toBe(0);
  const made = await decisions();
  expect(made).toHaveLength(count);
  expect(new Set(made.map(({ id }) => id)).size).toBe(count);
  expect(made.every(({ outcome }) => outcome === "ok")).toBe(true);
  const attempts = made.flatMap((decision) => decision.attempts);
  // Each target is called at most twice for a request.
  expect(attempts.length).toBeLessThanOrEqual(count * 4);
  expect(attempts).toHaveLength(flaky.requests.length + steady.requests.length);
});
