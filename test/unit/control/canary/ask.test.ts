import { expect, test } from "bun:test";

import type { Contract } from "../../../../src/canary/contracts/contract.ts";
import { judgeReply } from "../../../../src/canary/contracts/judge-reply.ts";
import type { Endpoint } from "../../../../src/canary/endpoints/endpoint.ts";
import { buildProbe, type ProbeLimits } from "../../../../src/canary/probes/probe.ts";
import { createAsker } from "../../../../src/control/canary/live/ask.ts";
import { type Clock, systemClock } from "../../../../src/lib/clock.ts";
import type { Instance } from "../../../../src/upstream/instance.ts";
import { instanceOf } from "../../../support/canary/instances.ts";
import { movedClock } from "../../../support/moved-clock.ts";
import {
  chunk,
  completion,
  scriptedUpstream,
  type SeenRequest,
  streamOf,
  type Wire,
} from "../../../support/scripted-upstream.ts";

const HOST: Endpoint = {
  key: "up:m",
  instance: "up",
  model: "m",
  host: null,
  host_name: null,
  groups: ["up:m"],
  price: { input_usd: 1, output_usd: 1, cached_input_usd: null },
  supported: null,
  reasoning: null,
};

interface Asking {
  readonly script: (wire: Wire, request: SeenRequest, index: number) => unknown;
  readonly contract?: Contract;
  readonly instance?: (base_url: string) => Instance;
  readonly signal?: AbortSignal;
  readonly limits?: Omit<ProbeLimits, "reasoning_ms"> & Partial<ProbeLimits>;
  readonly endpoint?: Endpoint;
  readonly clock?: Clock;
}

const body = ({ body: bytes }: SeenRequest): ReturnType<typeof Object> =>
  Object(JSON.parse(new TextDecoder().decode(bytes)));

/** Asks once; what was sent, what came back, and the verdict on it. */
async function ask({
  script,
  contract = "ttft",
  instance,
  signal,
  limits,
  endpoint = HOST,
  clock = systemClock,
}: Asking) {
  using upstream = scriptedUpstream(script);
  const { base_url } = upstream;
  const up = instance?.(base_url) ?? instanceOf("up", { base_url });
  const asker = createAsker({
    clock,
    registry: { get: () => up },
    fetch: (url, init) => fetch(url, init),
    identity: { version: "test", id: "this" },
    newId: () => "id",
  });
  const built = buildProbe(endpoint, { contract, locale: null }, { round_n: 2, attempt: 1 });
  const probe = { ...built, limits: { ...built.limits, ...limits } };
  const reply = await asker.ask(probe, signal ?? new AbortController().signal);
  const { result, reason } = judgeReply(probe, reply, null);
  return { reply, result, reason, asker, sent: upstream.requests };
}

const sse = (text: string) => (wire: Wire) => {
  wire.sse();
  wire.write(text);
  wire.end();
};

test.each<{ name: string; script: Asking["script"]; verdict: string }>([
  { name: "a good stream", script: sse(streamOf("Hi there, how are you?")), verdict: "pass -" },
  {
    name: "a whole answer to a request for a stream",
    script: (wire) => wire.json(completion("Hi there.")),
    verdict: "pass -",
  },
  { name: "an empty stream", script: sse(streamOf()), verdict: "fail empty_200" },
  {
    name: "a stream that breaks off",
    script: sse(chunk({ content: "Hi" })),
    verdict: "fail truncated_stream",
  },
  {
    name: "an error within a stream",
    script: sse('data: {"error":{"code":429,"message":"slow down"}}\n\n'),
    verdict: "transport rate_limit",
  },
  {
    name: "an error dressed as an answer",
    script: (wire) => wire.json({ error: { message: "overloaded", code: 503 } }),
    verdict: "transport overloaded",
  },
  { name: "no JSON", script: (wire) => wire.json("<html>"), verdict: "transport bad_upstream" },
  {
    name: "a refused credential",
    script: (wire) => wire.json({ error: { message: "no" } }, 401),
    verdict: "transport auth",
  },
  {
    name: "too many requests",
    script: (wire) => wire.json({ error: { message: "wait" } }, 429),
    verdict: "transport rate_limit",
  },
  { name: "a reset", script: (wire) => wire.reset(), verdict: "transport network" },
  {
    name: "a redirect, which is not followed",
    script: (wire) => {
      wire.head(302, { location: "http://127.0.0.1:1/", "content-length": "0" });
      wire.end();
    },
    verdict: "transport bad_upstream",
  },
])("$name is judged as $verdict", async ({ script, verdict }) => {
  const { result, reason } = await ask({ script });

  expect(`${result} ${reason ?? "-"}`).toBe(verdict);
});

test("a status that does not come in time is no answer", async () => {
  const { reply } = await ask({
    script: () => undefined,
    limits: { status_ms: 20, answer_ms: 40 },
  });

  expect(reply).toEqual({ kind: "failed", failure: "timeout", status: null });
});

test("a host that shows its reasoning in time is waited for until its text comes", async () => {
  const { reply, result } = await ask({
    script: async (wire) => {
      wire.sse();
      wire.write(chunk({ reasoning: "Hm." }));
      await Bun.sleep(120);
      wire.write(streamOf("Hi there, how are you?"));
      wire.end();
    },
    limits: { status_ms: 5000, answer_ms: 60 },
  });

  expect(reply).toMatchObject({ text: "Hi there, how are you?", answer: { is_done: true } });
  expect(result).toBe("pass");
});

test("a host that shows its reasoning is not waited for for ever", async () => {
  const { reply } = await ask({
    script: (wire) => {
      wire.sse();
      wire.write(chunk({ reasoning: "Hm." }));
    },
    limits: { status_ms: 5000, answer_ms: 60, reasoning_ms: 80 },
  });

  expect(reply).toMatchObject({ kind: "answered", text: "", answer: { is_done: null } });
});

test("what came until the probe was given up is judged, and has not broken off", async () => {
  const { reply } = await ask({
    script: (wire) => {
      wire.sse();
      wire.write(chunk({ content: "Hi there, how are" }));
    },
    limits: { status_ms: 5000, answer_ms: 60 },
  });

  expect(reply).toMatchObject({ kind: "answered", text: "Hi there, how are" });
  expect(reply.kind === "answered" && reply.answer.is_done).toBeNull();
});

test.each([
  {
    what: "lets the time pass without a word is the one that was asked",
    script: (wire: Wire) => {
      wire.sse();
      wire.write(": processing\n\n");
    },
    verdict: { result: "fail", reason: "empty_200" },
  },
  {
    what: "says nothing at once may be anybody",
    script: (wire: Wire) => wire.json({}),
    verdict: { result: "transport", reason: "answered_by_other" },
  },
])("a host behind a gateway that $what", async ({ script, verdict }) => {
  const endpoint = { ...HOST, key: "up:m@one", host: "one" };
  const limits = { status_ms: 5000, answer_ms: 60 };

  const { result, reason } = await ask({ script, endpoint, limits });

  expect({ result, reason }).toEqual(verdict);
});

test("what a machine slept through is no answer, however late it is", async () => {
  const clock = movedClock();
  const late = (wire: Wire) => {
    clock.move(60_000);
    sse(streamOf("Hi there, how are you?"))(wire);
  };

  const { result, reason } = await ask({ script: late, clock });

  expect({ result, reason }).toEqual({ result: "transport", reason: "network" });
});

test("a body without end is read up to a bound", async () => {
  const { reply } = await ask({
    script: (wire) => {
      wire.sse();
      const frame = chunk({ content: "x".repeat(60_000) });
      for (let n = 0; n < 40; n++) wire.write(frame);
    },
  });

  expect(reply.kind === "answered" && reply.text.length).toBeLessThan(1024 ** 2);
});

test("a shutdown ends it", async () => {
  const stopping = new AbortController();
  const { reply } = await ask({ script: () => stopping.abort(), signal: stopping.signal });

  expect(reply.kind).toBe("failed");
});

test("it carries the instance's credential, no client's, and asks for the usage", async () => {
  const { sent } = await ask({ script: sse(streamOf("Hi.")) });

  const [request] = sent;
  expect(request?.headers.get("authorization")).toBe("Bearer test");
  expect(request?.headers.get("via")).toBe("veriroute/this");
  expect(request && body(request)).toMatchObject({
    model: "m",
    stream: true,
    stream_options: { include_usage: true },
  });
});

function refuseUsage(wire: Wire, request: SeenRequest): void {
  const isRefused = body(request)["stream_options"] !== undefined;
  const message = "Unrecognized request argument supplied: stream_options";
  if (!isRefused) return sse(streamOf("Hi there."))(wire);
  wire.json({ error: { message, type: "invalid_request_error" } }, 400);
}

test("a server that refuses a member is asked once more without it, and from then on", async () => {
  const { result, sent } = await ask({ script: refuseUsage });

  expect(result).toBe("pass");
  expect(sent.map((request) => "stream_options" in body(request))).toEqual([true, false]);
});

test("a vendor that is told no form is not held to one", async () => {
  const { reply, sent, asker } = await ask({
    script: (wire) => wire.json({}),
    contract: "structured",
    instance: (base_url) => instanceOf("up", { base_url, type: "deepseek" }),
  });

  expect(reply).toEqual({ kind: "failed", failure: "unsupported_param", status: 400 });
  expect(sent).toEqual([]);
  expect(asker.lacksFormat("up:m")).toBe(true);
});

const event = (name: string, members: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...members })}\n\n`;

test("a vendor with another dialect is asked in it", async () => {
  const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [] };
  const { result, sent } = await ask({
    script: sse(
      [
        event("message_start", { message: { ...message, usage: { input_tokens: 9 } } }),
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        event("content_block_delta", {
          index: 0,
          delta: { type: "text_delta", text: "Hi there." },
        }),
        event("content_block_stop", { index: 0 }),
        event("message_delta", {
          delta: { stop_reason: "end_turn" },
          usage: { output_tokens: 4 },
        }),
        event("message_stop", {}),
      ].join(""),
    ),
    instance: (base_url) => instanceOf("up", { base_url, type: "anthropic" }),
  });

  expect(result).toBe("pass");
  expect(sent[0]?.path).toEndWith("/messages");
  expect(sent[0]?.headers.get("x-api-key")).toBe("test");
});

test.each<{ name: string; instance: Instance; failure: string }>([
  {
    name: "without a credential",
    instance: instanceOf("up", { problem: { code: "missing_credential", message: "none" } }),
    failure: "auth",
  },
  {
    name: "without an address",
    instance: instanceOf("up", { problem: { code: "missing_base_url", message: "none" } }),
    failure: "bad_upstream",
  },
])("an instance $name is not asked, and nobody is charged", async ({ instance, failure }) => {
  const { reply, sent } = await ask({ script: () => undefined, instance: () => instance });

  expect(reply).toMatchObject({ kind: "failed", failure, status: 400 });
  expect(sent).toEqual([]);
});
