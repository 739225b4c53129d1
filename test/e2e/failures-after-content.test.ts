import { expect, test } from "bun:test";

import { ask, benched, errorFrame, HALF, healthyUpstream, sse } from "../support/failing.ts";
import { provider, startRouter } from "../support/router.ts";
import { chunk, scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";

interface BrokenRow {
  readonly upstream: string;
  readonly script: (wire: Wire) => unknown;
  readonly code: string;
  readonly type: string;
  readonly kind: string;
  readonly benches: boolean;
}

test.each<BrokenRow>([
  {
    upstream: "resets",
    script(wire) {
      sse(wire, HALF);
      setTimeout(() => wire.reset(), 20);
    },
    code: "stream_interrupted",
    type: "api_error",
    kind: "stream_interrupted",
    benches: true,
  },
  {
    upstream: "closes without a finish reason",
    script(wire) {
      sse(wire, HALF);
      wire.end();
    },
    code: "stream_interrupted",
    type: "api_error",
    kind: "stream_interrupted",
    benches: true,
  },
  {
    upstream: "closes inside an event",
    script(wire) {
      sse(wire, `${HALF}data: {"id":"c","choices":[{"index":0,"delta":{"cont`);
      wire.end();
    },
    code: "stream_interrupted",
    type: "api_error",
    kind: "stream_interrupted",
    benches: true,
  },
  {
    upstream: "falls silent",
    script: (wire) => sse(wire, HALF),
    code: "upstream_timeout",
    type: "server_error",
    kind: "timeout",
    benches: true,
  },
  {
    upstream: "sends an error event",
    script(wire) {
      sse(wire, HALF + errorFrame({ code: 429, message: "slow down" }));
      wire.end();
    },
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    kind: "rate_limit",
    benches: true,
  },
  {
    upstream: "sends an error with choices and a finish reason `error`",
    script(wire) {
      const error = { code: 502, message: "Provider disconnected" };
      const choices = [{ index: 0, delta: { content: "" }, finish_reason: "error" }];
      sse(wire, `${HALF}data: ${JSON.stringify({ id: "c", error, choices })}\n\n`);
      wire.end();
    },
    code: "upstream_error",
    type: "server_error",
    kind: "server",
    benches: true,
  },
])(
  "an upstream that $upstream after content: the stream ends with $code and nobody else is asked",
  async ({ script, code, type, kind, benches }) => {
    using upstream = scriptedUpstream(script);
    using spare = healthyUpstream(true);
    await using router = await startRouter({
      config: [
        provider("a", upstream.base_url, 'idle_timeout = "400ms"'),
        provider("spare", spare.base_url),
        '[pools.main]\ntargets = ["a:m", "spare:m"]',
      ].join("\n"),
    });

    const broken = await ask(router, "pool:main", true);

    expect(broken).toMatchObject({
      status: 200,
      kinds: [kind],
      outcome: "interrupted",
      recorded: { status: 200, error_code: code },
    });
    expect(broken.text).toStartWith(HALF);
    expect(broken.text).toEndWith("\n\ndata: [DONE]\n\n");
    const last = broken.text.split("\n\n").at(-3) ?? "";
    expect(JSON.parse(last.replace("data: ", ""))).toEqual({
      error: { code, type, param: null, message: expect.stringMatching(/^`a`: /) },
    });
    expect(broken.text).not.toContain('"cont\n');
    expect(spare.requests).toHaveLength(0);
    expect(await benched(router)).toEqual(benches ? ["a:m"] : []);
  },
);

test.each([
  { ending: "closes", close: (wire: Wire) => wire.end() },
  { ending: "resets", close: (wire: Wire) => setTimeout(() => wire.reset(), 20) },
])("an upstream that $ending after its finish reason, without `[DONE]`, is done", async (row) => {
  const frames = HALF + chunk({}, "stop");
  using upstream = scriptedUpstream((wire) => {
    sse(wire, frames);
    row.close(wire);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });

  const done = await ask(router, "a:m", true);

  expect(done).toMatchObject({ status: 200, text: frames, kinds: ["ok"], outcome: "ok" });
});
