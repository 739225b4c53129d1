import { expect, test } from "bun:test";

import { chat, provider, startRouter } from "../support/router.ts";
import {
  chunk,
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  streamOf,
} from "../support/scripted-upstream.ts";
import {
  answers,
  CHAT,
  CHAT_STREAM,
  openWireRig,
  type Script,
  streams,
} from "../support/wire-rig.ts";

const POOL = '[pools.p]\ntargets = ["a:m", "b:m"]\n';
const routerFor = (a: ScriptedUpstream, b: ScriptedUpstream) =>
  startRouter({ config: provider("a", a.base_url) + provider("b", b.base_url) + POOL });

const role = chunk({ role: "assistant", content: "" });
const DONE = "data: [DONE]\n\n";

/** Errors that come with a 200, and the status they mean. */
const DRESSED: { name: string; script: Script; stream: boolean; status: number; code: string }[] = [
  {
    name: "an error beside empty choices, in a stream",
    script: streams([
      role,
      `data: {"id":"g","choices":[],"error":{"code":502,"message":"Worker local total request limit reached (33/32)"}}\n\n${DONE}`,
    ]),
    stream: true,
    status: 503,
    code: "upstream_overloaded",
  },
  {
    name: "an overload as an error event, in a stream",
    script: streams([
      role,
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ]),
    stream: true,
    status: 503,
    code: "upstream_overloaded",
  },
  {
    name: "a rate limit, whole",
    script: answers(
      '{"error":{"code":429,"message":"rate limited by provider","metadata":{"provider_name":"P"}},"user_id":"u"}',
    ),
    stream: false,
    status: 429,
    code: "rate_limit_exceeded",
  },
  {
    name: "a rate limit, whole, where a stream was asked for",
    script: answers('{"error":{"code":429,"message":"rate limited by provider"}}'),
    stream: true,
    status: 429,
    code: "rate_limit_exceeded",
  },
  {
    name: "a rate limit in a stream that nobody asked for",
    script: streams(['data: {"error":{"code":429,"message":"rate limited by provider"}}\n\n']),
    stream: false,
    status: 429,
    code: "rate_limit_exceeded",
  },
  {
    name: "a failed choice, whole",
    script: answers(
      '{"choices":[{"index":0,"finish_reason":"error","error":{"code":502,"message":"bad gateway"},"message":{"role":"assistant","content":""}}]}',
    ),
    stream: false,
    status: 502,
    code: "upstream_error",
  },
  {
    name: "a failed second choice, whole",
    script: answers(
      '{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"a"}},{"index":1,"finish_reason":"error","message":{"content":""}}]}',
    ),
    stream: false,
    status: 502,
    code: "upstream_error",
  },
  {
    name: "a flat error, whole",
    script: answers(
      '{"object":"error","message":"it broke","type":"InternalServerError","code":500}',
    ),
    stream: false,
    status: 502,
    code: "upstream_error",
  },
];

test.each(DRESSED)(
  "$name, moves the request on, and the client sees only the answer that came",
  async ({ script, stream }) => {
    using broken = scriptedUpstream(script);
    using healthy = scriptedUpstream((wire, request) => {
      const reply = stream
        ? streams([streamOf("fine")])
        : answers(JSON.stringify(completion("fine")));
      return reply(wire, request);
    });
    await using router = await routerFor(broken, healthy);

    const response = await router.post("/v1/chat/completions", chat("pool:p", { stream }));

    const text = await response.text();
    expect(response.headers.get("x-veriroute-target")).toBe("b:m");
    if (stream) expect(text).toBe(streamOf("fine"));
    else expect(JSON.parse(text)).toMatchObject(completion("fine"));
  },
);

test.each(DRESSED)(
  "$name, from every target reaches the client as the status it means",
  async ({ script, stream, status, code }) => {
    await using rig = await openWireRig();

    const { response, text } = await rig.ask(script, stream ? CHAT_STREAM : CHAT);

    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(JSON.parse(text)).toMatchObject({ error: { code } });
  },
);

test.each([
  {
    name: "an HTTP error",
    script: ((wire) => wire.json({ error: { message: "tools rejected" } }, 400)) as Script,
    code: "bad_request",
    says: "tools rejected",
  },
  {
    name: "a first event",
    script: streams([
      'data: {"error":{"message":"context length exceeded from messages","code":400}}\n\n',
    ]),
    code: "context_length_exceeded",
    says: "context length exceeded",
  },
])(
  "a request for a stream that the upstream refuses by $name is an HTTP 400, not an empty stream",
  async ({ script, code, says }) => {
    await using rig = await openWireRig();

    const { response, text } = await rig.ask(script, CHAT_STREAM);

    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(JSON.parse(text)).toMatchObject({
      error: { code, message: expect.stringContaining(says) },
    });
  },
);

test("headers of a target that failed do not reach the client with another's answer", async () => {
  using limited = scriptedUpstream((wire) =>
    wire.json({ error: { message: "slow down" } }, 429, {
      "x-ratelimit-remaining-requests": "0",
      "x-request-id": "a1",
      "set-cookie": "a=1",
    }),
  );
  using healthy = scriptedUpstream((wire) =>
    wire.json(completion("fine"), 200, { connection: "x-bar", "x-bar": "2" }),
  );
  await using router = await routerFor(limited, healthy);

  const { headers } = await router.post("/v1/chat/completions", chat("pool:p"));

  expect(headers.get("x-veriroute-target")).toBe("b:m");
  expect(headers.get("x-veriroute-attempts")).toBe("2");
  expect(headers.get("x-request-id")).not.toBe("a1");
  for (const name of ["x-ratelimit-remaining-requests", "set-cookie", "x-bar"]) {
    expect(headers.get(name)).toBeNull();
  }
});
