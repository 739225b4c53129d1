import { expect, test } from "bun:test";

import { errorOf, observe } from "../support/observe.ts";
import { chat, provider, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";

test.each([{ stream: false }, { stream: true }])(
  "two routers that lead to each other find out at once (stream: $stream)",
  async ({ stream }) => {
    // The first has to know the second's address before the second exists: a gate in between.
    const gate: { target: string } = { target: "" };
    using between = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) =>
        fetch(gate.target + new URL(request.url).pathname, {
          method: request.method,
          headers: request.headers,
          body: request.body,
          proxy: false,
        }),
    });
    await using first = await startRouter({
      config: provider("second", `http://127.0.0.1:${between.port}/v1`),
    });
    await using second = await startRouter({ config: provider("first", `${first.url}/v1`) });
    gate.target = second.url;

    // What the first sends to the second, the second sends back.
    const response = await first.post("/v1/chat/completions", chat("second:m", { stream }));

    expect(response.status).toBe(502);
    expect(await errorOf(response)).toMatchObject({
      message: expect.stringContaining("has passed this router before"),
    });
    const [asked, ...loops] = (await observe(first).decisions()).toReversed();
    expect(asked).toMatchObject({ status: 502, attempts: [{ retry: false }, { retry: true }] });
    // Once for each call of the first: the second does not repeat what was refused as a loop.
    expect(loops.map(({ status, error_code }) => ({ status, error_code }))).toEqual([
      { status: 508, error_code: "routing_loop" },
      { status: 508, error_code: "routing_loop" },
    ]);
    expect((await observe(second).decisions()).map(({ attempts }) => attempts.length)).toEqual([
      1, 1,
    ]);
  },
);

test("a router that is its own provider answers 508 to itself", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  await router.post("/v1/chat/completions", chat("a:m"));
  const via = upstream.requests[0]?.headers.get("via") ?? "";

  const response = await router.post("/v1/chat/completions", chat("a:m"), {
    headers: { via: `1.1 other, ${via}` },
  });

  expect(response.status).toBe(508);
  expect(await errorOf(response)).toMatchObject({
    code: "routing_loop",
    type: "invalid_request_error",
  });
  expect(upstream.requests).toHaveLength(1);
});
