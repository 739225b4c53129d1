import { expect, test } from "bun:test";

import { chat, pool, provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream, streamOf } from "../support/scripted-upstream.ts";

test.each([
  { name: "a 500", script: (wire) => wire.json({ error: { message: "no" } }, 500), calls: 2 },
  {
    name: "a 429",
    script: (wire) => wire.json({ error: { message: "slow down" } }, 429),
    calls: 1,
  },
  { name: "a reset", script: (wire) => wire.reset(), calls: 2 },
  { name: "an empty answer", script: (wire) => wire.json(completion("")), calls: 1 },
  {
    name: "a page of HTML",
    script: (wire) => wire.json("<html>", 200, { "content-type": "text/html" }),
    calls: 1,
  },
] as { name: string; script: Parameters<typeof scriptedUpstream>[0]; calls: number }[])(
  "$name moves a request to the next target, unseen, stream or not",
  async ({ script, calls }) => {
    for (const stream of [false, true]) {
      using broken = scriptedUpstream(script);
      using healthy = scriptedUpstream((wire) => {
        if (!stream) return wire.json(completion("fine"));
        wire.sse();
        wire.write(streamOf("fine"));
        wire.end();
      });
      await using router = await startRouter({
        config: provider("a", broken.base_url) + provider("b", healthy.base_url) + pool("a", "b"),
      });

      const response = await router.post("/v1/chat/completions", chat("pool:main", { stream }));

      expect(response.status).toBe(200);
      expect(await response.text()).toContain("fine");
      expect(response.headers.get("x-veriroute-target")).toBe("b:m");
      expect(broken.requests).toHaveLength(calls);
      expect(healthy.requests).toHaveLength(1);
    }
  },
);

test("a stream that breaks after its first content ends with an error event, and nobody else is asked", async () => {
  using broken = scriptedUpstream((wire) => {
    wire.sse();
    wire.write(chunk({ role: "assistant" }) + chunk({ content: "half" }));
    setTimeout(() => wire.reset(), 20);
  });
  using spare = scriptedUpstream((wire) => wire.json(completion("never")));
  await using router = await startRouter({
    config: provider("a", broken.base_url) + provider("b", spare.base_url) + pool("a", "b"),
  });

  const response = await router.post("/v1/chat/completions", chat("pool:main", { stream: true }));
  const text = await response.text();

  expect(text).toContain("half");
  expect(text).toEndWith("data: [DONE]\n\n");
  expect(text).toContain('"code":"stream_interrupted"');
  expect(spare.requests).toHaveLength(0);
});
