import { expect, test } from "bun:test";

import { inboundHeaders } from "../../../src/upstream/inbound-headers.ts";
import type { Instance } from "../../../src/upstream/instance.ts";
import { outboundHeaders, type OutboundRequest } from "../../../src/upstream/outbound-headers.ts";
import { identity, sampleInstance, sampleType } from "./samples.ts";

function outbound(parts: Partial<OutboundRequest> = {}): Record<string, string> {
  const request = { instance: sampleInstance(), identity, endpoint: "chat" as const };
  return Object.fromEntries(
    outboundHeaders({ ...request, stream: false, client: null, ...parts }).entries(),
  );
}

const OWN = {
  accept: "application/json",
  "accept-encoding": "gzip, deflate, br, zstd",
  authorization: "Bearer sk-acme",
  "content-type": "application/json",
  "user-agent": "veriroute/1.2.3",
  via: "veriroute/r1",
};

test("an upstream sees our own headers and its credential", () => {
  expect(outbound()).toEqual(OWN);
});

test("a stream asks for events, uncompressed", () => {
  expect(outbound({ stream: true })).toEqual({
    ...OWN,
    accept: "text/event-stream, application/json",
    "accept-encoding": "identity",
  });
});

test("the credential goes where the provider wants it", () => {
  const type = sampleType({ auth: "x-api-key" });
  const { authorization: _, ...rest } = OWN;

  expect(outbound({ instance: sampleInstance({ type }) })).toEqual({
    ...rest,
    "x-api-key": "sk-acme",
  });
});

const MESSAGES_CLIENT = new Headers({
  "anthropic-version": "2026-10-21",
  "anthropic-beta": "tools-2",
  "openai-beta": "r=1",
});

test.each<{ why: string; parts: Partial<OutboundRequest>; wants: Record<string, string> }>([
  {
    why: "a version is named where the client names none",
    parts: { endpoint: "messages" },
    wants: { "anthropic-version": "2023-06-01" },
  },
  {
    why: "the client's own version and betas pass with its own dialect",
    parts: { endpoint: "messages", client: MESSAGES_CLIENT },
    wants: {
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "tools-2",
      "openai-beta": "r=1",
    },
  },
  {
    why: "nothing of them passes with a translation",
    parts: { endpoint: "messages", client: MESSAGES_CLIENT, translated: true },
    wants: { "anthropic-version": "2023-06-01" },
  },
  {
    why: "no version is sent in another dialect",
    parts: { endpoint: "chat", client: MESSAGES_CLIENT, translated: true },
    wants: {},
  },
])("$why", ({ parts, wants }) => {
  expect(outbound(parts)).toEqual({ ...OWN, ...wants });
});

test.each<{ why: string; instance: Partial<Instance> }>([
  { why: "the instance has none", instance: { credential: null } },
  { why: "the type takes none", instance: { type: sampleType({ auth: "none" }) } },
])("no credential is sent where $why", ({ instance }) => {
  const { authorization: _, ...rest } = OWN;

  expect(outbound({ instance: sampleInstance(instance) })).toEqual(rest);
});

test("nothing of the client passes but what is listed", () => {
  const client = new Headers({
    authorization: "Bearer sk-gateway",
    "x-api-key": "sk-gateway",
    cookie: "s=1",
    "x-stainless-os": "Linux",
    "proxy-authorization": "Basic eDp5",
    "accept-encoding": "gzip, zstd",
    "user-agent": "OpenAI/JS",
    "x-forwarded-for": "10.0.0.7",
    "openai-organization": "org-client",
    traceparent: "00-a-b-01",
    "idempotency-key": "k1",
    "anthropic-beta": "tools-2",
  });

  expect(outbound({ client })).toEqual({
    ...OWN,
    traceparent: "00-a-b-01",
    "idempotency-key": "k1",
    "anthropic-beta": "tools-2",
  });
});

test("a provider's own list adds client headers, but never a credential or framing", () => {
  const type = sampleType({
    headers: { "anthropic-version": "2023-06-01" },
    client_headers: ["anthropic-version", "http-referer", "authorization", "cookie", "host", "via"],
  });
  const client = new Headers({
    "anthropic-version": "2024-01-01",
    "http-referer": "https://app.example",
    authorization: "Bearer sk-gateway",
    cookie: "s=1",
    host: "evil.example",
  });

  expect(outbound({ client, instance: sampleInstance({ type }) })).toEqual({
    ...OWN,
    "anthropic-version": "2024-01-01",
    "http-referer": "https://app.example",
  });
});

test("a client header named in Connection stays here", () => {
  const client = new Headers({ connection: "keep-alive, Traceparent", traceparent: "00-a-b-01" });

  expect(outbound({ client })).toEqual(OWN);
});

test("configured headers win over everything but framing", () => {
  const headers = {
    "X-Team": "research",
    authorization: "Token abc",
    "Content-Length": "1",
    Via: "forged",
    "Accept-Encoding": "lz4",
  };

  expect(outbound({ instance: sampleInstance({ headers }) })).toEqual({
    ...OWN,
    authorization: "Token abc",
    "x-team": "research",
  });
});

test("the client's via is kept before our own entry", () => {
  const client = new Headers({ via: "1.1 nginx, veriroute/r0" });

  expect(outbound({ client })).toEqual({ ...OWN, via: "1.1 nginx, veriroute/r0, veriroute/r1" });
});

test("what one client says is not said for the next", () => {
  const instance = sampleInstance();
  const other = { ...identity, id: "r2" };

  expect([
    outbound({ instance }),
    outbound({ instance, client: new Headers({ traceparent: "00-a-b-01", via: "1.1 nginx" }) }),
    outbound({ instance, client: new Headers({ accept: "text/html" }) }),
    outbound({ instance, endpoint: "messages", client: MESSAGES_CLIENT, translated: true }),
    outbound({ instance, endpoint: "messages" }),
    outbound({ instance, identity: other }),
  ]).toEqual([
    OWN,
    { ...OWN, traceparent: "00-a-b-01", via: "1.1 nginx, veriroute/r1" },
    OWN,
    { ...OWN, "anthropic-version": "2023-06-01" },
    { ...OWN, "anthropic-version": "2023-06-01" },
    { ...OWN, via: "veriroute/r2" },
  ]);
});

test("a value that HTTP does not allow is left out instead of failing the request", () => {
  const headers = { "x-a": "line\nbreak", "x-b": "snow ☃", "x-c": "caf\u00e9" };

  expect(outbound({ instance: sampleInstance({ headers }) })).toEqual({
    ...OWN,
    "x-c": "caf\u00e9",
  });
});

test("a listing carries no content type", () => {
  const { "content-type": _, ...rest } = OWN;

  expect(outbound({ endpoint: "models" })).toEqual(rest);
});

test("of an answer's headers only limits, timings and ids go to the client", () => {
  const upstream = new Headers({
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": "17",
    "transfer-encoding": "chunked",
    "set-cookie": "s=1",
    server: "cloudflare",
    "x-request-id": "a1",
    "retry-after": "3",
    "x-veriroute-target": "forged",
    "access-control-allow-origin": "*",
    "x-ratelimit-remaining-requests": "9",
    "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:00Z",
    "openai-processing-ms": "12",
    "x-generation-id": "gen-1",
    "x-ratelimit-limit-bytes": "9".repeat(2_000),
    connection: "x-groq-region",
    "x-groq-region": "eu",
  });

  expect(inboundHeaders(upstream)).toEqual({
    "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:00Z",
    "openai-processing-ms": "12",
    "x-generation-id": "gen-1",
    "x-ratelimit-remaining-requests": "9",
  });
});
