import { expect, test } from "bun:test";

import { errorOf, observe } from "../support/observe.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream, streamOf, type Wire } from "../support/scripted-upstream.ts";

const entries = (seen: { readonly headers: Headers } | undefined): Record<string, string> =>
  Object.fromEntries(seen?.headers ?? []);

const CLIENT_SECRETS = {
  authorization: "Bearer sk-gateway-client",
  "x-api-key": "sk-gateway-client",
  "api-key": "sk-gateway-client",
  cookie: "session=1",
  "proxy-authorization": "Basic c2VjcmV0",
  "x-forwarded-for": "203.0.113.9",
  "x-stainless-os": "Linux",
  "x-request-id": "client-1",
  "x-veriroute-debug": "1",
  "user-agent": "OpenAI/JS",
};

test("of the client's headers only the allowed ones go upstream, and none that `Connection` names", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({
    config: provider("a", upstream.base_url, 'api_key = "sk-of-the-provider"'),
  });

  await router.post("/v1/chat/completions", chat("a:m"), {
    headers: {
      ...CLIENT_SECRETS,
      connection: "keep-alive, tracestate",
      tracestate: "hop=1",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "idempotency-key": "once",
      via: "1.1 somebody",
    },
  });

  const [seen] = upstream.requests;
  const { host, "content-length": length, via, "user-agent": agent, ...headers } = entries(seen);
  expect(headers).toEqual({
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br, zstd",
    authorization: "Bearer sk-of-the-provider",
    connection: "keep-alive",
    "content-type": "application/json",
    "idempotency-key": "once",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });
  expect(via).toMatch(/^1\.1 somebody, veriroute\/[0-9a-f-]+$/);
  expect(agent).toBe("veriroute/0.0.0-test");
  expect(upstream.base_url).toContain(host ?? "?");
  expect(Number(length)).toBe(seen?.body.length ?? 0);
});

const UPSTREAM_HEADERS = {
  "x-ratelimit-remaining-requests": "41",
  "openai-processing-ms": "12",
  "set-cookie": "spy=1",
  server: "nginx",
  "x-request-id": "upstream-1",
  "access-control-allow-origin": "*",
  "strict-transport-security": "max-age=1",
  "x-ratelimit-limit-requests": "50",
  // Declared to be for one hop only.
  connection: "close, x-ratelimit-limit-requests",
};

const answered: Record<string, (wire: Wire, headers: Record<string, string>) => void> = {
  stream(wire, headers) {
    wire.sse(headers);
    wire.write(streamOf("fine"));
    wire.end();
  },
  whole: (wire, headers) => wire.json(completion("fine"), 200, headers),
};

test.each(["stream", "whole"])(
  "of the upstream's headers only the allowed ones reach the client (%s)",
  async (form) => {
    using upstream = scriptedUpstream((wire) => answered[form]?.(wire, UPSTREAM_HEADERS));
    await using router = await startRouter({
      config: provider("a", upstream.base_url) + pool("a"),
    });

    const response = await router.post(
      "/v1/chat/completions",
      chat("pool:main", { stream: form === "stream" }),
      { headers: { "x-request-id": "client-1" } },
    );

    const { date, "x-veriroute-decision": id, ...headers } = Object.fromEntries(response.headers);
    expect(date).toBeString();
    expect(id).toBe((await observe(router).lastDecision()).id);
    const text = await response.text();
    expect(headers).toEqual({
      "openai-processing-ms": "12",
      "x-ratelimit-remaining-requests": "41",
      "x-content-type-options": "nosniff",
      "x-request-id": "client-1",
      "x-veriroute-attempts": "1",
      "x-veriroute-pool": "main",
      "x-veriroute-target": "a:m",
      ...(form === "stream"
        ? {
            "cache-control": "no-cache",
            "content-type": "text/event-stream; charset=utf-8",
            "transfer-encoding": "chunked",
            "x-accel-buffering": "no",
          }
        : {
            "cache-control": "no-store",
            "content-type": "application/json",
            "content-length": String(text.length),
          }),
    });
  },
);

test.each([{ stream: false }, { stream: true }])(
  "nothing of a failed target's headers is in the next one's answer (stream: $stream)",
  async ({ stream }) => {
    using failing = scriptedUpstream((wire) =>
      wire.json({ error: { message: "slow down" } }, 429, {
        "x-ratelimit-remaining-requests": "0",
        "x-request-id": "a1",
        "retry-after": "30",
      }),
    );
    using serving = scriptedUpstream((wire) => answered[stream ? "stream" : "whole"]?.(wire, {}));
    await using router = await startRouter({
      config: provider("a", failing.base_url) + provider("b", serving.base_url) + pool("a", "b"),
    });

    const { headers } = await router.post("/v1/chat/completions", chat("pool:main", { stream }));

    expect(headers.get("x-ratelimit-remaining-requests")).toBeNull();
    expect(headers.get("retry-after")).toBeNull();
    expect(headers.get("x-request-id")).not.toBe("a1");
    expect(headers.get("x-veriroute-target")).toBe("b:m");
    expect(headers.get("x-veriroute-attempts")).toBe("2");
  },
);

test("an error names the target that was asked last, and carries none of its headers", async () => {
  using upstream = scriptedUpstream((wire) =>
    wire.json({ error: { message: "no" } }, 400, { "x-ratelimit-remaining-requests": "0" }),
  );
  await using router = await startRouter({ config: provider("a", upstream.base_url) });

  const { headers } = await router.post("/v1/chat/completions", chat("a:m"));

  expect(headers.get("x-veriroute-target")).toBe("a:m");
  expect(headers.get("x-veriroute-attempts")).toBe("1");
  expect(headers.get("x-ratelimit-remaining-requests")).toBeNull();
});

test.each([
  { sent: "abc.DEF_1-2", kept: true },
  { sent: "a".repeat(128), kept: true },
  { sent: "a".repeat(129), kept: false },
  { sent: "has space", kept: false },
  { sent: "semi;colon", kept: false },
])("the request id `$sent` is kept: $kept", async ({ sent, kept }) => {
  await using router = await startRouter();

  const response = await router.post("/v1/chat/completions", chat("sim:echo"), {
    headers: { "x-request-id": sent },
  });

  const id = response.headers.get("x-request-id") ?? "";
  expect(id === sent).toBe(kept);
  expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect((await observe(router).lastDecision()).request_id).toBe(id);
});

test("a target's name outside ASCII is percent-encoded in its header", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({ config: provider("a", upstream.base_url) });

  const response = await router.post("/v1/chat/completions", chat("a:modèle-名"));

  expect(response.status).toBe(200);
  expect(response.headers.get("x-veriroute-target")).toBe("a:mod%C3%A8le-%E5%90%8D");
});

test("who asks for it gets the whole decision: a member of JSON, a comment before `[DONE]` of a stream", async () => {
  using upstream = scriptedUpstream((wire, { body }) => {
    const { stream } = JSON.parse(new TextDecoder().decode(body));
    answered[stream === true ? "stream" : "whole"]?.(wire, {});
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const ask = async (stream: boolean) => {
    const init = { headers: { "x-veriroute-debug": "1" } };
    const response = await router.post("/v1/chat/completions", chat("a:m", { stream }), init);
    const id = response.headers.get("x-veriroute-decision");
    return { text: await response.text(), decision: await observe(router).decision(id) };
  };

  const whole = await ask(false);
  const streamed = await ask(true);

  expect(JSON.parse(whole.text).veriroute.explain).toEqual(whole.decision);
  const [, comment = ""] =
    /\n\n: veriroute-explain (\{.*\})\n\ndata: \[DONE\]\n\n$/.exec(streamed.text) ?? [];
  expect(JSON.parse(comment)).toEqual(streamed.decision);
  expect(streamed.decision.outcome).toBe("ok");
});

test("who asks for it gets the whole decision with an error too", async () => {
  using upstream = scriptedUpstream((wire) => wire.json({ error: { message: "no" } }, 400));
  await using router = await startRouter({ config: provider("a", upstream.base_url) });

  const response = await router.post("/v1/chat/completions", chat("a:m"), {
    headers: { "x-veriroute-debug": "1" },
  });

  const id = response.headers.get("x-veriroute-decision");
  expect(await errorOf(response)).toMatchObject({
    code: "bad_request",
    veriroute: { decision_id: id, explain: await observe(router).decision(id) },
  });
});
