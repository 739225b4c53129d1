import { expect, test } from "bun:test";

import { systemClock } from "../../src/lib/clock.ts";
import { HALF, sse } from "../support/failing.ts";
import { errorOf, observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const PRIVATE = "what the fault was looking at";

/** A clock that breaks as often as it is told to. */
function brittleClock() {
  let faults = 0;
  return {
    now: () => {
      if (faults === 0) return systemClock.now();
      faults--;
      throw new TypeError(PRIVATE);
    },
    elapsed: () => systemClock.elapsed(),
    break: (times: number) => {
      faults = times;
    },
  };
}

const bugs = (log: readonly string[]) => log.filter((line) => line.includes('"msg":"bug"'));

test("a fault of ours before the answer is a 500, recorded, logged without what it looked at, and blames nobody", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("fine")));
  let isBroken = false;
  await using router = await startRouter({
    config: provider("a", upstream.base_url),
    random: () => {
      if (!isBroken) return 0.5;
      isBroken = false;
      throw new TypeError(PRIVATE);
    },
  });
  await router.app.discovered;
  isBroken = true;

  const response = await router.post("/v1/chat/completions", chat("a:m"));

  expect(response.status).toBe(500);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await errorOf(response)).toMatchObject({ code: "internal_error", type: "server_error" });
  expect(await observe(router).lastDecision()).toMatchObject({
    id: response.headers.get("x-veriroute-decision"),
    outcome: "failed",
    status: 500,
    error_code: "internal_error",
  });
  expect(await observe(router).health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
  const [line = "", ...others] = bugs(router.log);
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    request_id: response.headers.get("x-request-id"),
    error: "TypeError",
    stack: expect.arrayContaining([expect.stringContaining("failures-own.test.ts")]),
  });
  expect(line).not.toContain(PRIVATE);
});

test("a fault of ours in a stream ends it with an error event, frees the upstream and blames nobody", async () => {
  const clock = brittleClock();
  const rest = Promise.withResolvers<void>();
  using upstream = scriptedUpstream(async (wire) => {
    sse(wire, HALF);
    await rest.promise;
    wire.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url), clock });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));
  await client.saw("half");

  clock.break(1);
  rest.resolve();
  await client.saw("[DONE]");
  await upstream.requests[0]?.closed;

  expect(client.received()).toContain('"code":"internal_error"');
  expect(await observe(router).lastDecision()).toMatchObject({
    outcome: "interrupted",
    error_code: "internal_error",
  });
  expect(await observe(router).health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
  expect(bugs(router.log)).toHaveLength(1);
  client.leave();
});

test("a fault of ours while a request is called off does not end the process", async () => {
  const clock = brittleClock();
  using upstream = scriptedUpstream((wire) => sse(wire, HALF));
  await using router = await startRouter({ config: provider("a", upstream.base_url), clock });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));
  await client.saw("half");

  clock.break(1);
  client.leave();
  await until(() => bugs(router.log)[0]);

  const next = await router.post("/v1/chat/completions", chat("sim:echo"));
  expect(next.status).toBe(200);
});
