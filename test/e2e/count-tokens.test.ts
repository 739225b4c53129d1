import { expect, test } from "bun:test";

import { HALF, sse } from "../support/failing.ts";
import { observe } from "../support/observe.ts";
import { rawClient } from "../support/raw-client.ts";
import { chat, provider, startRouter } from "../support/router.ts";
import { scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const counting = (base_url: string) =>
  `[providers.c]\ntype = "anthropic"\nbase_url = "${base_url}"\napi_key = "k"\nmodels = ["m"]\n`;
const COUNTED = { model: "c:m", messages: [{ role: "user", content: "hi" }] };

const MIB = Buffer.alloc(1024 * 1024, "x");

/** Writes without end, for as long as it is read. */
async function pour(wire: Wire, backlog: () => number): Promise<void> {
  while (backlog() === 0) {
    wire.write(MIB);
    await Bun.sleep(1);
  }
}

test.each([{ status: 200 }, { status: 400 }])(
  "of a count of status $status without end little is read, and the router estimates",
  async ({ status }) => {
    using upstream = scriptedUpstream(async (wire) => {
      wire.head(status, { "content-type": "application/json" });
      wire.write('{"input_tokens": 3, "more": "');
      await pour(wire, upstream.backlog);
    });
    await using router = await startRouter({ config: counting(upstream.base_url) });

    const response = await router.post("/v1/messages/count_tokens", COUNTED);

    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
    await upstream.requests[0]?.closed;
    const id = response.headers.get("x-veriroute-decision");
    expect(await observe(router).decision(id)).toMatchObject({ edits: ["tokens_estimated"] });
  },
);

test.each([-1, 1.5, 1e300, "7", null])("%p is no count", async (input_tokens) => {
  using upstream = scriptedUpstream((wire) => wire.json({ input_tokens }));
  await using router = await startRouter({ config: counting(upstream.base_url) });

  const response = await router.post("/v1/messages/count_tokens", COUNTED);

  const id = response.headers.get("x-veriroute-decision");
  expect(await observe(router).decision(id)).toMatchObject({ edits: ["tokens_estimated"] });
});

test("no count is begun once the router stops", async () => {
  using counter = scriptedUpstream((wire) => wire.json({ input_tokens: 3 }));
  using upstream = scriptedUpstream((wire) => sse(wire, HALF));
  await using router = await startRouter({
    config: `[server]\ndrain = "500ms"\n${counting(counter.base_url)}${provider("a", upstream.base_url)}`,
  });
  const text = JSON.stringify(COUNTED);
  const client = await rawClient(router.url);
  client.write(
    "POST /v1/messages/count_tokens HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n" +
      `content-length: ${text.length}\r\n\r\n${text.slice(0, -1)}`,
  );
  const holder = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  await until(async () => (await observe(router).inFlight()) === 2);

  const stopped = router.app.stop();
  client.write("}");
  await client.closed;
  await stopped;

  expect(client.received()).toContain("the router is shutting down");
  expect(counter.requests.filter(({ method }) => method === "POST")).toEqual([]);
  await holder.text();
});
