import { afterAll, describe, expect, test } from "bun:test";

import type OpenAI from "openai";

import { scriptedUpstream } from "../support/scripted-upstream.ts";
import { startSdkFleet } from "../support/sdk-fleet.ts";
import { playVendor, TOOL_STREAMS, VECTOR } from "../support/sdk-upstream.ts";
import { SDKS, streamingCompletions } from "../support/sdk.ts";
import { until } from "../support/until.ts";

const vendor = scriptedUpstream(playVendor);
const MODELS = [
  "floats-only",
  "base64-only",
  "json",
  "silent",
  "endless",
  "acme/deep/model-1",
  ...Object.keys(TOOL_STREAMS),
];
const fleet = await startSdkFleet(`[providers.vendor]
type = "openai-compatible"
base_url = "${vendor.base_url}"
models = ${JSON.stringify(MODELS)}

[pools.team]
targets = ["sim:echo"]
`);
afterAll(async () => {
  await fleet[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const TEXT = "Grüße, 世界 😀";
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: TEXT }];
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  },
];

const PLACE: OpenAI.ResponseFormatJSONSchema["json_schema"] = {
  name: "place",
  strict: true,
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** Requests that are open on any target, as the router counts them. */
async function inFlight(): Promise<number> {
  const health = await fleet.admin("/v1/routing/health");
  return [...health.matchAll(/"in_flight":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
}

describe.each(SDKS.map((sdk) => ({ major: sdk.major, sdk })))("openai $major", ({ sdk }) => {
  const client = fleet.client(sdk);
  const chat = client.chat.completions;

  test("reads an answer, what the router adds to it, and the request's id", async () => {
    const { data: answer, response } = await chat
      .create({ model: "sim:echo", messages })
      .withResponse();

    expect(answer.choices[0]?.message.content).toBe(TEXT);
    expect(answer).toMatchObject({
      _request_id: response.headers.get("x-request-id"),
      veriroute: { asked: "sim:echo", served: "sim:echo" },
    });
  });

  test("reads a stream piece by piece, with usage where it asked for it", async () => {
    const stream = await chat.create({
      model: "sim:echo",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const one of stream) {
      pieces.push(one.choices[0]?.delta.content ?? "");
      usage = one.usage;
    }

    expect(pieces.join("")).toBe(TEXT);
    expect(pieces.filter(Boolean).length).toBeGreaterThan(1);
    expect(usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 });
  });

  test("its streaming helper, the strictest of its readers, comes to the same answer", async () => {
    const run = streamingCompletions(client).stream({ model: "sim:echo", messages });
    const answer = await run.finalChatCompletion();

    expect(answer.choices[0]).toMatchObject({
      message: { role: "assistant", content: TEXT },
      finish_reason: "stop",
    });
  });

  test.each(Object.keys(TOOL_STREAMS))("joins tool calls that come as %s", async (model) => {
    const run = streamingCompletions(client).stream({ model: `vendor:${model}`, messages, tools });
    const [choice] = (await run.finalChatCompletion()).choices;

    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message.tool_calls).toMatchObject([
      { id: "call_o", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      { id: "call_r", function: { name: "weather", arguments: '{"city":"Rome"}' } },
    ]);
  });

  test.each([{ fragments: 1 }, { fragments: 7 }])(
    "a round with a tool ends in the tool's answer ($fragments fragments)",
    async ({ fragments }) => {
      const model = `sim:tools?fragments=${fragments}`;
      const run = streamingCompletions(client).stream({ model, messages, tools });
      const asked = (await run.finalChatCompletion()).choices[0]?.message;
      const call = asked?.tool_calls?.[0];
      const answer = await chat.create({
        model,
        tools,
        messages: [
          ...messages,
          { role: "assistant", content: null, ...(call && { tool_calls: [call] }) },
          { role: "tool", tool_call_id: call?.id ?? "", content: "4 °C, sunny" },
        ],
      });

      expect(call).toMatchObject({ function: { arguments: JSON.stringify({ city: TEXT }) } });
      expect(answer.choices[0]?.message.content).toBe("4 °C, sunny");
    },
  );

  test.each([{ upstream: "floats-only" }, { upstream: "base64-only" }])(
    "embeddings of an upstream that gives $upstream have their width",
    async ({ upstream }) => {
      const model = `vendor:${upstream}`;
      const input = ["a", "b"];
      const unasked = await client.embeddings.create({ model, input });
      const floats = await client.embeddings.create({ model, input, encoding_format: "float" });

      for (const { data } of [unasked, floats]) {
        expect(data.map(({ embedding }) => Array.from(embedding))).toEqual([VECTOR, VECTOR]);
      }
    },
  );

  test("embeddings come as wide as asked for", async () => {
    const given = await client.embeddings.create({ model: "sim:embed", input: "a", dimensions: 8 });

    expect(given.data[0]?.embedding).toHaveLength(8);
    expect(Math.hypot(...(given.data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
  });

  test("lists the models and finds each of them again, slashes in their names included", async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    const found = await Promise.all(ids.map(async (id) => (await client.models.retrieve(id)).id));

    expect(ids).toContain("auto");
    expect(ids).toContain("pool:team");
    expect(ids).toContain("vendor:acme/deep/model-1");
    expect(ids).toContain("acme/deep/model-1");
    expect(found).toEqual(ids);
  });

  test("completes a prompt, at once and streamed", async () => {
    const body = { model: "sim:echo", prompt: TEXT };
    const whole = await client.completions.create(body);
    const pieces: string[] = [];
    for await (const one of await client.completions.create({ ...body, stream: true })) {
      pieces.push(one.choices[0]?.text ?? "");
    }

    expect([whole.choices[0]?.text, pieces.join("")]).toEqual([TEXT, TEXT]);
  });

  test("a schema for the answer reaches the upstream in the client's own spelling", async () => {
    const bodies: string[] = [];
    const listening = fleet.client(sdk, {
      fetch: (url, init) => {
        if (typeof init?.body === "string") bodies.push(init.body);
        return fetch(url, init);
      },
    });
    const answer = await listening.chat.completions.create({
      model: "vendor:json",
      messages,
      response_format: { type: "json_schema", json_schema: PLACE },
    });
    const [sent = ""] = bodies;

    expect(sent).toContain('"strict":');
    expect(new TextDecoder().decode(vendor.requests.at(-1)?.body)).toBe(
      sent.replace("vendor:json", "json").replace("{", '{"stream":false,'),
    );
    expect(answer.choices[0]?.message.content).toBe('{"city":"Oslo"}');
  });

  test.each([
    { kind: "a stream that has begun", model: "endless", stream: true },
    { kind: "a stream without a first word", model: "silent", stream: true },
    { kind: "an answer that is awaited", model: "silent", stream: false },
  ])("hanging up on $kind frees the upstream", async ({ model, stream }) => {
    const hangUp = new AbortController();
    const before = vendor.requests.length;
    const running = (async () => {
      const answer = await chat.create(
        { model: `vendor:${model}`, messages, stream },
        { signal: hangUp.signal },
      );
      if (Symbol.asyncIterator in answer) for await (const _ of answer) hangUp.abort();
    })();
    const request = await until(() => vendor.requests[before]);
    if (model === "silent") hangUp.abort();
    await running.catch((error: unknown) =>
      expect(error).toBeInstanceOf(sdk.OpenAI.APIUserAbortError),
    );

    await request.closed;
    await until(async () => (await inFlight()) === 0);
    const decision = await fleet.latestDecision();
    expect(decision).toMatchObject({ outcome: "cancelled", attempts: [{ kind: "cancelled" }] });
  });
});
