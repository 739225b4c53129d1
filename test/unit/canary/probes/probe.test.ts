import { expect, test } from "bun:test";

import { CONTRACTS } from "../../../../src/canary/contracts/contract.ts";
import { isFromAsked } from "../../../../src/canary/probes/answered-by.ts";
import { buildProbe } from "../../../../src/canary/probes/probe.ts";
import { createReplyReader } from "../../../../src/canary/probes/reply-reader.ts";
import { anEndpoint } from "./an-endpoint.ts";

const TURN = { round_n: 2, attempt: 1 };
const topic = (contract: (typeof CONTRACTS)[number]) => {
  return { contract, locale: contract === "language" ? "pt" : null };
};

test.each([...CONTRACTS])("a %s probe goes to one host and to nobody else", (contract) => {
  const { body, prompt, max_tokens, stream } = buildProbe(anEndpoint(), topic(contract), TURN);
  const { response_format: _, provider, ...rest } = body;

  expect(rest).toEqual({
    model: "a/m",
    messages: [{ role: "user", content: prompt }],
    temperature: 0,
    max_tokens,
    stream,
  });
  expect(provider).toEqual({
    only: ["deepinfra/fp8"],
    order: ["deepinfra/fp8"],
    allow_fallbacks: false,
    ...(contract === "structured" && { require_parameters: true }),
  });
});

test("a form is asked for in a stream and as a whole, in turn", () => {
  const streams = [1, 2, 3, 4].map(
    (round_n) => buildProbe(anEndpoint(), topic("structured"), { round_n, attempt: 1 }).stream,
  );

  expect(streams).toEqual([true, false, true, false]);
});

test("a target of its own is asked without a pin", () => {
  const endpoint = anEndpoint({ key: "nim:q", host: null, host_name: null, supported: null });
  const { body } = buildProbe(endpoint, topic("ttft"), TURN);

  expect(body).not.toHaveProperty("provider");
  expect(body).toMatchObject({ temperature: 0, stream: true });
});

test("a host that takes no temperature is sent none", () => {
  const { body } = buildProbe(anEndpoint({ supported: ["max_tokens"] }), topic("ttft"), TURN);

  expect(body).not.toHaveProperty("temperature");
});

test("a model that thinks is asked to think little and given room for it", () => {
  const plain = buildProbe(anEndpoint(), topic("ttft"), TURN);
  const thinking = buildProbe(anEndpoint({ reasoning: true }), topic("ttft"), TURN);

  expect(thinking.body).toMatchObject({ reasoning: { effort: "low" } });
  expect(thinking.max_tokens).toBeGreaterThan(plain.max_tokens);
});

test.each([
  { host: "deepinfra/fp8", host_name: "DeepInfra", answered: "DeepInfra", is: true },
  { host: "google-vertex/us-east5", host_name: "Google", answered: "Google", is: true },
  { host: "google-vertex", host_name: null, answered: "Google Vertex", is: true },
  { host: "deepinfra/fp8", host_name: "DeepInfra", answered: "Novita", is: false },
  { host: "deepinfra/fp8", host_name: "DeepInfra", answered: null, is: false },
  { host: null, host_name: null, answered: null, is: true },
  { host: null, host_name: null, answered: "whoever", is: true },
])("of $host, an answer by $answered is one: $is", ({ host, host_name, answered, is }) => {
  expect(isFromAsked({ host, host_name }, answered)).toBe(is);
});

const chunkOf = (given: object) => ({ provider: "Novita", choices: [{ delta: given }] });

test("a stream is gathered, and its first text is not its first chunk", () => {
  const reader = createReplyReader();
  reader.read(chunkOf({ role: "assistant", content: "" }), 100);
  reader.read(chunkOf({ reasoning: "hm" }), 200);
  reader.read(chunkOf({ content: "\u200B\n" }), 300);
  reader.read(chunkOf({ content: "Olá" }), 400);
  reader.read({ choices: [{ delta: {}, finish_reason: "stop" }] }, 500);
  reader.read({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, cost: 0.01 } }, 600);

  expect(reader.end({ at_ms: 700, is_done: true, is_utf8: true })).toMatchObject({
    kind: "answered",
    answered_by: "Novita",
    text: "\u200B\nOlá",
    first_text_ms: 400,
    first_reasoning_ms: 200,
    duration_ms: 700,
    input_tokens: 9,
    cost_usd: 0.01,
    answer: { finish: "stop", has_reasoning: true, output_tokens: 3, is_done: true, is_utf8: true },
  });
});

test("a whole answer is read by the same reader", () => {
  const reader = createReplyReader();
  const message = { content: "", refusal: "no" };

  reader.read({ provider: "Azure", choices: [{ message, finish_reason: "content_filter" }] }, 900);

  expect(reader.end({ at_ms: 900, is_done: null, is_utf8: true })).toMatchObject({
    answered_by: "Azure",
    first_text_ms: null,
    answer: { finish: "content_filter", has_refusal: true, is_done: null },
  });
});
