import { afterAll, expect, test } from "bun:test";

import {
  ask,
  benched,
  errorFrame,
  healthyUpstream,
  LIMITS,
  ROLE,
  sse,
} from "../support/failing.ts";
import { provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";

/** Answers whatever it gets in plain text. */
const plaintext = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: { data: (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") },
});
afterAll(() => plaintext.stop(true));

interface Row {
  readonly upstream: string;
  readonly stream: boolean;
  readonly script: (wire: Wire) => unknown;
  /** Keys of the provider's section. */
  readonly limits?: string;
  /** In place of the scripted upstream's own URL. */
  readonly base_url?: (url: string) => string;
  readonly status: number;
  readonly code: string;
  /** How each call to the only target ended. */
  readonly kinds: readonly string[];
  /** The next target answers instead; its client sees nothing of the first. */
  readonly moves: boolean;
  /** The target is benched afterwards. */
  readonly benches: boolean;
}

const json = (wire: Wire, length = 5000) =>
  wire.head(200, { "content-type": "application/json", "content-length": String(length) });

const twice = (kind: string) => [kind, kind];
const both = (row: Omit<Row, "stream">): Row[] => [
  { ...row, stream: false },
  { ...row, stream: true },
];
const moved = { moves: true, benches: true };

const BEFORE_CONTENT: readonly Row[] = [
  ...both({
    upstream: "refuses the connection",
    script: () => {},
    // Port 1 is nobody's.
    base_url: () => "http://127.0.0.1:1/v1",
    status: 502,
    code: "upstream_unreachable",
    kinds: twice("network"),
    ...moved,
  }),
  ...both({
    upstream: "resets before its headers",
    script: (wire) => wire.reset(),
    status: 502,
    code: "upstream_unreachable",
    kinds: twice("network"),
    ...moved,
  }),
  ...both({
    upstream: "speaks no TLS where TLS is expected",
    script: () => {},
    base_url: () => `https://127.0.0.1:${plaintext.port}/v1`,
    status: 502,
    code: "upstream_unreachable",
    kinds: twice("network"),
    ...moved,
  }),
  ...both({
    upstream: "answers with something that is no HTTP",
    script: (wire) => wire.write("SSH-2.0-OpenSSH_9.9\r\n\r\n"),
    status: 502,
    code: "upstream_bad_answer",
    kinds: ["bad_upstream"],
    ...moved,
  }),
  ...both({
    upstream: "redirects",
    script: (wire) =>
      wire.json("", 302, { location: "https://elsewhere.example/v1/chat/completions" }),
    status: 502,
    code: "upstream_bad_answer",
    kinds: ["bad_upstream"],
    ...moved,
  }),
  ...both({
    upstream: "stalls before its headers",
    limits: LIMITS,
    script: () => {},
    status: 504,
    code: "upstream_timeout",
    kinds: ["timeout"],
    ...moved,
  }),
  ...both({
    upstream: "stalls before its first event",
    limits: LIMITS,
    script: (wire) => wire.sse(),
    status: 504,
    code: "upstream_timeout",
    kinds: ["timeout"],
    ...moved,
  }),
  ...both({
    upstream: "sends comments only",
    limits: LIMITS,
    script(wire) {
      wire.sse();
      const beat = setInterval(() => wire.write(": PROCESSING\n\n"), 50);
      setTimeout(() => clearInterval(beat), 1000);
    },
    status: 504,
    code: "upstream_timeout",
    kinds: ["timeout"],
    ...moved,
  }),
  ...both({
    upstream: "closes a stream before its content",
    script(wire) {
      sse(wire, ROLE);
      wire.end();
    },
    status: 502,
    code: "upstream_unreachable",
    kinds: twice("network"),
    ...moved,
  }),
  ...both({
    upstream: "answers 200 with nothing at all",
    script: (wire) => wire.json(""),
    status: 502,
    code: "upstream_error",
    kinds: twice("server"),
    ...moved,
  }),
  ...both({
    upstream: "breaks off its JSON by a reset",
    script(wire) {
      json(wire);
      wire.write('{"id":"x","choices":[{"index":0,');
      setTimeout(() => wire.reset(), 20);
    },
    status: 502,
    code: "upstream_unreachable",
    kinds: twice("network"),
    ...moved,
  }),
  ...both({
    upstream: "ends in the middle of its JSON",
    script(wire) {
      wire.head(200, { "content-type": "application/json", connection: "close" });
      wire.write('{"id":"x","choices":[{"index":0,');
      wire.end();
    },
    status: 502,
    code: "upstream_error",
    kinds: twice("server"),
    ...moved,
  }),
  ...both({
    upstream: "answers 200 with a page of HTML",
    script: (wire) =>
      wire.json("<!doctype html><title>hi</title>", 200, { "content-type": "text/html" }),
    status: 502,
    code: "upstream_bad_answer",
    kinds: ["bad_upstream"],
    ...moved,
  }),
  ...both({
    upstream: "answers in an encoding nobody asked for",
    script: (wire) => wire.json(completion("fine"), 200, { "content-encoding": "snappy" }),
    status: 502,
    code: "upstream_bad_answer",
    kinds: ["bad_upstream"],
    ...moved,
  }),
  ...both({
    upstream: "hides a rate limit in a 200",
    script: (wire) => wire.json({ error: { code: 429, message: "slow down" } }),
    status: 429,
    code: "rate_limit_exceeded",
    kinds: ["rate_limit"],
    ...moved,
  }),
  ...both({
    upstream: "opens its stream with a server error",
    script(wire) {
      sse(wire, ROLE + errorFrame({ code: 500, message: "boom" }));
      wire.end();
    },
    status: 502,
    code: "upstream_error",
    kinds: twice("server"),
    ...moved,
  }),
  ...both({
    upstream: "opens its stream with a context overflow",
    script(wire) {
      const message = "context length exceeded from messages";
      sse(wire, errorFrame({ code: 400, message }));
      wire.end();
    },
    status: 400,
    code: "context_length_exceeded",
    kinds: ["context_length"],
    moves: true,
    benches: false,
  }),
  ...both({
    upstream: "answers without content",
    script(wire) {
      sse(wire, `${ROLE}${chunk({}, "stop")}data: [DONE]\n\n`);
      wire.end();
    },
    status: 502,
    code: "upstream_empty",
    kinds: ["malformed_empty"],
    moves: true,
    benches: false,
  }),
  ...both({
    upstream: "refuses the request as malformed",
    script: (wire) =>
      wire.json({ error: { message: "`messages` is wrong", type: "invalid_request_error" } }, 400),
    status: 400,
    code: "bad_request",
    kinds: ["bad_request"],
    moves: false,
    benches: false,
  }),
  ...both({
    upstream: "sends 429 and never ends its body",
    limits: LIMITS,
    script: (wire) => wire.head(429, { "content-length": "100", "retry-after": "7" }),
    status: 429,
    code: "rate_limit_exceeded",
    kinds: ["rate_limit"],
    ...moved,
  }),
];

test.each(BEFORE_CONTENT)(
  "an upstream that $upstream, stream: $stream: $status $code",
  async ({
    stream,
    script,
    base_url = (url) => url,
    limits = "",
    status,
    code,
    kinds,
    moves,
    benches,
  }) => {
    using upstream = scriptedUpstream(script);
    using spare = healthyUpstream(stream);
    const url = base_url(upstream.base_url);
    await using router = await startRouter({
      config: [
        provider("a", url, limits),
        provider("again", url, limits),
        provider("spare", spare.base_url),
        '[pools.alone]\ntargets = ["a:m"]',
        '[pools.more]\ntargets = ["again:m", "spare:m"]',
      ].join("\n"),
    });

    const alone = await ask(router, "pool:alone", stream);
    const more = await ask(router, "pool:more", stream);

    expect(alone).toMatchObject({
      status,
      content_type: "application/json;charset=utf-8",
      error: { code, message: expect.stringContaining("`a`") },
      kinds,
      outcome: "failed",
      recorded: { status, error_code: code },
    });
    expect(more.kinds).toEqual(moves ? [...kinds, "ok"] : [...kinds]);
    expect(more.status).toBe(moves ? 200 : status);
    expect(more.text.includes("spare answer")).toBe(moves);
    expect(await benched(router)).toEqual(benches ? ["a:m", "again:m"] : []);
  },
);

test("a connection that died while it was kept open costs a retry, not the target's health", async () => {
  using upstream = scriptedUpstream((wire, _, index) =>
    index === 1 ? wire.reset() : wire.json(completion("fine")),
  );
  await using router = await startRouter({
    config: `${provider("a", upstream.base_url)}[pools.main]\ntargets = ["a:m"]\n`,
  });

  const first = await ask(router, "pool:main", false);
  const second = await ask(router, "pool:main", false);

  expect([first.kinds, second.kinds]).toEqual([["ok"], ["network", "ok"]]);
  expect(await benched(router)).toEqual([]);
});
