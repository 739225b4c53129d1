import { expect, test } from "bun:test";

import { PROVIDER_TYPES } from "../../../../src/catalog/provider-types.ts";
import { shaped } from "./shaped.ts";

const hi = '"messages":[{"role":"user","content":"hi"}]';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly model?: string;
  /** Members beside the messages, as text. */
  readonly given: string;
  readonly left: string;
  readonly lossy?: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "OpenAI's reasoning models have another name for the cap",
    type: "openai",
    model: "gpt-5.4",
    given: '"max_tokens": 1.0e3',
    left: '"max_completion_tokens": 1.0e3',
  },
  {
    name: "its older models do not",
    type: "openai",
    model: "gpt-4o",
    given: '"max_tokens":9',
    left: '"max_tokens":9',
  },
  {
    name: "two caps become one",
    type: "openai",
    model: "o3",
    given: '"max_tokens":9,"max_completion_tokens":8',
    left: '"max_completion_tokens":8',
  },
  {
    name: "Cerebras has that name for all",
    type: "cerebras",
    given: '"max_tokens":9',
    left: '"max_completion_tokens":9',
  },
  {
    name: "Mistral knows only the old one",
    type: "mistral",
    given: '"max_completion_tokens":9',
    left: '"max_tokens":9',
  },
  {
    name: "Gemini takes either, not both",
    type: "gemini",
    given: '"max_tokens":9,"max_completion_tokens":8',
    left: '"max_completion_tokens":8',
  },
  { name: "Gemini takes either", type: "gemini", given: '"max_tokens":9', left: '"max_tokens":9' },
  {
    name: "Mistral spells the seed otherwise",
    type: "mistral",
    given: '"seed":7e0',
    left: '"random_seed":7e0',
  },
  {
    name: "Mistral's word for a forced tool",
    type: "mistral",
    given: '"tool_choice":"required"',
    left: '"tool_choice":"any"',
  },
  {
    name: "that word is nobody else's",
    type: "groq",
    given: '"tool_choice":"any"',
    left: '"tool_choice":"required"',
  },
  {
    name: "Ollama does what it likes with tools",
    type: "ollama",
    given: '"tool_choice":"required"',
    left: '"tool_choice":"required"',
    lossy: ["tool_choice"],
  },
  {
    name: "what no answer depends on goes",
    type: "mistral",
    given: '"user":"u","top_p":0.50,"store":true',
    left: '"top_p":0.50',
    lossy: ["user", "store"],
  },
  {
    name: "what says nothing goes without a word",
    type: "cerebras",
    given: '"frequency_penalty":0.0,"logit_bias":{},"presence_penalty":null,"n":1',
    left: '"n":1',
  },
  {
    name: "Groq takes one choice",
    type: "groq",
    given: '"n":1,"logprobs":false',
    left: '"n":1',
  },
  {
    name: "penalties where there are none",
    type: "cerebras",
    given: '"frequency_penalty":0.5,"temperature":0.0',
    left: '"temperature":0.0',
    lossy: ["frequency_penalty"],
  },
  {
    name: "xAI's reasoning models stop where they like",
    type: "xai",
    model: "grok-4-0709",
    given: '"stop":["x"],"presence_penalty":1',
    left: "",
    lossy: ["presence_penalty", "stop"],
  },
  {
    name: "its others stop where they are told",
    type: "xai",
    model: "grok-4-fast-non-reasoning",
    given: '"stop":["x"]',
    left: '"stop":["x"]',
  },
  {
    name: "another vendor's members go where unknown ones are errors",
    type: "openai",
    given: '"provider":{"only":["x"]},"top_k":4,"chat_template_kwargs":{},"never_heard_of":1',
    left: '"never_heard_of":1',
    lossy: ["provider", "top_k", "chat_template_kwargs"].toSorted(),
  },
  {
    name: "and stay where they are not",
    type: "openrouter",
    given: '"provider":{"only":["x"]},"top_k":4,"reasoning":{"effort":"low"},"user":"u"',
    left: '"provider":{"only":["x"]},"top_k":4,"reasoning":{"effort":"low"},"user":"u"',
  },
  {
    name: "Gemini's own",
    type: "gemini",
    given: '"extra_body":{"google":{"cached_content":"c"}},"logit_bias":{"1":2}',
    left: '"extra_body":{"google":{"cached_content":"c"}}',
    lossy: ["logit_bias"],
  },
  {
    name: "Kimi K3 rejects the switch",
    type: "moonshot",
    model: "kimi-k3",
    given: '"thinking":{"type":"enabled"}',
    left: "",
    lossy: ["thinking"],
  },
  {
    name: "no tools are no list of tools",
    type: "openai-compatible",
    given: '"tools":[],"tool_choice":"auto","parallel_tool_calls":true',
    left: "",
  },
  {
    name: "DeepSeek takes JSON",
    type: "deepseek",
    given: '"response_format":{"type":"json_object"}',
    left: '"response_format":{"type":"json_object"}',
  },
];

test.each(ROWS)("$name ($type)", ({ type, model, given, left, lossy = [] }) => {
  const tail = left === "" ? "" : `,${left}`;
  const got = shaped(`{${hi},${given}}`, { type, ...(model !== undefined && { model }) });

  expect({ ...got, lossy: got.lossy.toSorted() }).toMatchObject({
    text: `{${hi}${tail}}`,
    lossy: lossy.toSorted(),
    refused: [],
  });
});

test.each([
  { type: "openai", model: "o3", given: "minimal", left: "low" },
  { type: "openai", model: "o3", given: "max", left: "high" },
  { type: "openai", model: "gpt-5.4", given: "xhigh", left: "xhigh" },
  { type: "openai", model: "gpt-4o", given: "high", left: undefined },
  { type: "fireworks", model: "glm", given: "minimal", left: "low" },
  { type: "fireworks", model: "glm", given: "xhigh", left: "high" },
  { type: "groq", model: "openai/gpt-oss-120b", given: "max", left: "high" },
  { type: "groq", model: "qwen/qwen3-32b", given: "medium", left: "default" },
  { type: "groq", model: "qwen/qwen3-32b", given: "none", left: "none" },
  { type: "groq", model: "llama-3.3-70b-versatile", given: "low", left: undefined },
  { type: "groq", model: "not-known", given: "minimal", left: "minimal" },
  { type: "ollama", model: "qwen3", given: "minimal", left: "low" },
  { type: "ollama", model: "qwen3", given: "none", left: "none" },
  { type: "xai", model: "grok-3-mini", given: "medium", left: "low" },
  { type: "xai", model: "grok-4", given: "high", left: undefined },
  { type: "xai", model: "grok-4.3", given: "medium", left: "medium" },
  { type: "mistral", model: "mistral-small-latest", given: "medium", left: "high" },
  { type: "mistral", model: "mistral-small-latest", given: "minimal", left: "none" },
  { type: "mistral", model: "magistral-medium-latest", given: "high", left: undefined },
  { type: "gemini", model: "gemini-3.8-flash", given: "max", left: "high" },
  { type: "openai-compatible", model: "x", given: "ultracode", left: "ultracode" },
  { type: "fireworks", model: "glm", given: "ultracode", left: "ultracode" },
])("an effort of $given is $left for $type $model, pinned or not", (row) => {
  const { type, model, given, left } = row;
  const text = JSON.stringify({ reasoning_effort: given });
  for (const pinned of [true, false]) {
    const got = shaped(text, { type, model, pinned });

    expect({ body: JSON.parse(got.text), refused: got.refused }).toEqual({
      body: left === undefined ? {} : { reasoning_effort: left },
      refused: [],
    });
  }
});

test.each([
  { type: "deepseek", model: "deepseek-v4", off: { thinking: { type: "disabled" } } },
  { type: "zai", model: "glm-5.3", off: { thinking: { type: "disabled" } } },
  { type: "fireworks", model: "m", off: { thinking: { type: "disabled" } } },
  { type: "moonshot", model: "kimi-k2.5", off: { thinking: { type: "disabled" } } },
  { type: "moonshot", model: "kimi-k2.7", off: {} },
  { type: "moonshot", model: "kimi-k3", off: {} },
  { type: "together", model: "m", off: { reasoning: { enabled: false } } },
])("no effort is the switch of $type where $model has one", ({ type, model, off }) => {
  const got = shaped('{"reasoning_effort":"none"}', { type, model, pinned: true });

  expect({ body: JSON.parse(got.text), lossy: got.lossy }).toEqual({ body: off, lossy: [] });
});

test.each([
  { given: '{"effort":"xhigh"}', left: '{"reasoning_effort":"high"}' },
  { given: '{"enabled":false}', left: '{"reasoning_effort":"none"}' },
  { given: "{}", left: "{}" },
])("OpenRouter's reasoning $given is the effort that others know", ({ given, left }) => {
  const { text, refused } = shaped(`{"reasoning":${given}}`, { type: "gemini", pinned: true });

  expect({ text, refused }).toEqual({ text: left, refused: [] });
});

test.each([
  { type: "cerebras", given: '{"frequency_penalty":0.5}', param: "frequency_penalty" },
  { type: "openai", given: '{"top_k":4}', param: "top_k" },
  { type: "openai", given: '{"reasoning":{"max_tokens":9}}', param: "reasoning" },
  { type: "mistral", given: '{"verbosity":"low"}', param: "verbosity" },
])("$type never sees $given of a client that named it", ({ type, given, param }) => {
  const { refused, lossy } = shaped(given, { type, pinned: true });

  expect({ lossy, params: refused.map((barrier) => barrier.param) }).toEqual({
    lossy: [],
    params: [param],
  });
  expect(refused[0]?.message).toMatch(
    new RegExp(`does not take \`${param}\` for this model: leave it out, or ask for a pool`),
  );
});

test.each([
  { type: "groq", given: '{"n":2}', message: "Groq takes only 1 for `n`" },
  { type: "groq", given: '{"logprobs":true}', message: "Groq does not take `logprobs`" },
  { type: "ollama", given: '{"n":2}', message: "Ollama takes only 1 for `n`" },
  {
    type: "deepseek",
    given: '{"response_format":{"type":"json_schema","json_schema":{}}}',
    message: "DeepSeek takes only type text and json_object for `response_format`",
  },
  {
    type: "mistral",
    given: '{"functions":[{"name":"f"}]}',
    message: "Mistral does not take `functions`",
  },
])("$given is another target's, not $type's, even in a pool", ({ type, given, message }) => {
  const { refused, lossy, text } = shaped(given, { type });

  expect({ lossy, text }).toEqual({ lossy: [], text: given });
  expect(refused[0]?.message).toStartWith(`${message} for this model: leave it out, or add a`);
});

test("a hint is left out even where the client named the target", () => {
  const { text, lossy, refused } = shaped('{"user":"u","metadata":{"a":"b"},"seed":1}', {
    type: "mistral",
    pinned: true,
  });

  expect({ text, lossy, refused }).toEqual({
    text: '{"metadata":{"a":"b"},"random_seed":1}',
    lossy: ["user"],
    refused: [],
  });
});

test("a spec's params are spelled and left out like the client's own", () => {
  const params = { seed: 7, top_k: 4, temperature: 0.5, reasoning_effort: "max" };
  const got = shaped("{}", { type: "mistral", model: "mistral-small-latest", params });

  expect(got).toMatchObject({
    text: '{"reasoning_effort":"high"}',
    params: { random_seed: 7, temperature: 0.5 },
    lossy: ["top_k"],
    edits: ["seed", "reasoning_effort"],
  });
});

test("an unknown server is sent what the client said", () => {
  const text =
    '{"messages":[{"role":"developer","content":"x","name":"n"},{"role":"assistant","content":[{"type":"thinking","thinking":[]}],"reasoning_details":[],"prefix":true}],"top_k":1.0,"x":{},"n":3}';

  expect(shaped(text, { type: "openai-compatible", pinned: true })).toEqual({
    text,
    params: {},
    edits: [],
    lossy: [],
    refused: [],
  });
});

const USUAL =
  '{"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":null,"tool_calls":[{"id":"abcDEF123","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]},{"role":"tool","tool_call_id":"abcDEF123","content":"1"}],"temperature":0.70,"stop":["x"],"tools":[{"type":"function","function":{"name":"f"}}]}';

test.each(PROVIDER_TYPES.map(({ id }) => id))("what %s takes is not touched", (type) => {
  // Only Gemini signs; the others may refuse what it adds.
  const text =
    type === "gemini" ? USUAL : USUAL.replace(/,"extra_content":\{"google":\{.*?\}\}/, "");
  const got = shaped(text, { type, pinned: true });

  expect(got).toEqual({ text, params: {}, edits: [], lossy: [], refused: [] });
});
