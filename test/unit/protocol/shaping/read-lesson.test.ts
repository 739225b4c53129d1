import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";

import { classifyHttp } from "../../../../src/health/classify.ts";
import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { joinLessons } from "../../../../src/protocol/shaping/lesson.ts";
import { lessonOf } from "../../../../src/protocol/shaping/read-lesson.ts";
import { sentTo } from "./shaped.ts";

const user = { role: "user", content: "q" };
const called = { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] };
const result = { role: "tool", tool_call_id: "call_1", content: "ok" };

const openAi = (message: string, param: string | null = null) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param, code: null } });

/** What a vendor's answer teaches, read as the relay reads it. */
function taught(body: string, sent: JsonObject, status = 400) {
  const answer = { status, header: () => null, body, now: 0 };
  return lessonOf(classifyHttp(answer), sent);
}

interface Row {
  readonly name: string;
  readonly body: string;
  readonly status?: number;
  readonly sent: JsonObject;
  /** What the same target is sent next. */
  readonly next: JsonObject;
}

const ROWS: readonly Row[] = [
  {
    name: "OpenAI names the cap to use",
    body: openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_tokens",
    ),
    sent: { max_tokens: 9 },
    next: { max_completion_tokens: 9 },
  },
  {
    name: "an older server knows only the older cap",
    body: openAi("Unrecognized request argument supplied: max_completion_tokens"),
    sent: { max_completion_tokens: 9 },
    next: { max_tokens: 9 },
  },
  {
    name: "Gemini takes one cap",
    body: '[{"error":{"code":400,"message":"max_tokens and max_completion_tokens cannot both be set","status":"INVALID_ARGUMENT"}}]',
    sent: { max_tokens: 9, max_completion_tokens: 8 },
    next: { max_completion_tokens: 8 },
  },
  {
    name: "an unknown argument",
    body: openAi("Unrecognized request argument supplied: top_k"),
    sent: { top_k: 4, top_p: 1 },
    next: { top_p: 1 },
  },
  {
    name: "two of them",
    body: openAi("Unrecognized request arguments supplied: min_p, top_k"),
    sent: { top_k: 4, min_p: 1, top_p: 1 },
    next: { top_p: 1 },
  },
  {
    name: "a value other than the default",
    body: openAi(
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      "temperature",
    ),
    sent: { temperature: 0.7, user: "u" },
    next: { user: "u" },
  },
  {
    name: "an effort, with those that are taken",
    body: openAi(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      "reasoning_effort",
    ),
    sent: { reasoning_effort: "minimal" },
    next: { reasoning_effort: "low" },
  },
  {
    name: "an effort, for a model that does not reason",
    body: openAi("Unrecognized request argument supplied: reasoning_effort"),
    sent: { reasoning_effort: "high" },
    next: {},
  },
  {
    name: "FastAPI's list",
    status: 422,
    body: '{"detail":[{"type":"extra_forbidden","loc":["body","top_k"],"msg":"Extra inputs are not permitted","input":4}]}',
    sent: { top_k: 4 },
    next: {},
  },
  {
    name: "Mistral's list within a message",
    status: 422,
    body: '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","messages",0,"user","name"],"msg":"Extra inputs are not permitted","input":""}]},"type":"invalid_request_error","param":null,"code":null}',
    sent: { messages: [{ ...user, name: "ann" }] },
    next: { messages: [user] },
  },
  {
    name: "Groq's words for a member of a message",
    body: openAi(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    sent: { messages: [user, { role: "assistant", content: "a", reasoning_content: "r" }] },
    next: { messages: [user, { role: "assistant", content: "a" }] },
  },
  {
    name: "Cerebras' words for it, whose `param` names nothing",
    body: '{"message":"messages.1.assistant.reasoning_content: property \'messages.1.assistant.reasoning_content\' is unsupported","type":"invalid_request_error","param":"validation_error","code":"wrong_api_format"}',
    sent: { messages: [user, { role: "assistant", content: "a", reasoning_content: "r" }] },
    next: { messages: [user, { role: "assistant", content: "a" }] },
  },
  {
    name: "Google's words for an unknown name",
    body: '[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \\"reasoning_content\\" at \'messages[1]\': Cannot find field.","status":"INVALID_ARGUMENT"}}]',
    sent: { messages: [user, { role: "assistant", content: "a", reasoning_content: "r" }] },
    next: { messages: [user, { role: "assistant", content: "a" }] },
  },
  {
    name: "Google's words beside a member of that name",
    body: '{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \\"refusal\\" at \'messages[0]\': Cannot find field."}}',
    sent: { messages: [{ ...user, name: "ann", refusal: null }] },
    next: { messages: [{ ...user, name: "ann" }] },
  },
  {
    name: "a cache mark on a part",
    body: openAi("messages.0.content.0.text.cache_control: Extra inputs are not permitted"),
    sent: {
      messages: [{ role: "user", content: [{ type: "text", text: "q", cache_control: {} }] }],
    },
    next: { messages: [{ role: "user", content: [{ type: "text", text: "q" }] }] },
  },
  {
    name: "an old R1 that does not want its thoughts back",
    body: openAi(
      "The reasoning_content is an intermediate result for display purposes only. Please remove the reasoning_content from your message",
    ),
    sent: { messages: [user, { role: "assistant", content: "a", reasoning_content: "r" }, user] },
    next: { messages: [user, { role: "assistant", content: "a" }, user] },
  },
  {
    name: "a thinking model that does",
    body: openAi("The `reasoning_content` in the thinking mode must be passed back to the API."),
    sent: { messages: [user, { role: "assistant", content: "a" }, user] },
    next: {
      messages: [user, { role: "assistant", content: "a", reasoning_content: "" }, user],
    },
  },
  {
    name: "Moonshot's words for it",
    body: openAi(
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
    ),
    sent: { messages: [user, { role: "assistant", content: "a", reasoning: "r" }, user] },
    next: {
      messages: [user, { role: "assistant", content: "a", reasoning_content: "r" }, user],
    },
  },
  {
    name: "a role that is not known",
    body: openAi("Unexpected role 'developer' in messages", "messages"),
    sent: { messages: [{ role: "developer", content: "d" }, user] },
    next: { messages: [{ role: "system", content: "d" }, user] },
  },
  {
    name: "a list of the known roles",
    body: openAi("'developer' is not one of ['system', 'assistant', 'user', 'function']"),
    sent: { messages: [{ role: "developer", content: "d" }, user] },
    next: { messages: [{ role: "system", content: "d" }, user] },
  },
  {
    name: "a tool that cannot be forced",
    body: openAi("tool_choice 'required' is not supported for this model"),
    sent: { tool_choice: "required", tools: [{ type: "function" }] },
    next: { tools: [{ type: "function" }] },
  },
  {
    name: "a quoted everyday word",
    body: openAi("Unknown parameter: 'stop'.", "stop"),
    sent: { stop: ["x"] },
    next: {},
  },
];

test.each(ROWS)("$name", ({ body, status, sent, next }) => {
  const lesson = taught(body, sent, status);
  if (lesson === null) throw new Error("nothing was learned");

  expect(sentTo({ type: "openai-compatible", lesson }, sent)).toEqual(next);
  // What has been learned is not learned again from the same words.
  expect(taught(body, next, status)).toBeNull();
});

test("Mistral's ids at a server that only turns out to want them", () => {
  const body = openAi(
    "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
    null,
  );
  const sent = { messages: [user, called, result] };
  const lesson = taught(body, sent);

  expect(lesson).toEqual({ call_ids: "nine" });
  if (lesson === null) return;
  const next = sentTo({ type: "openai-compatible", lesson }, sent);
  expect(JSON.stringify(next)).not.toContain("call_1");
  expect(taught(body, next)).toBeNull();
});

test.each([
  { name: "tools", body: openAi("registry/gemma does not support tools"), sent: { tools: [{}] } },
  {
    name: "several choices",
    body: openAi("Unsupported parameter: 'n'", "n"),
    sent: { n: 2 },
  },
  {
    name: "a schema",
    body: openAi("This response_format type is unavailable now: response_format is not supported"),
    sent: { response_format: { type: "json_schema" } },
  },
  {
    name: "a cap that is too high",
    body: openAi("This model does not support max_tokens above 4096", "max_tokens"),
    sent: { max_tokens: 9999 },
  },
  {
    name: "a user who may not",
    body: openAi("This user is not allowed to sample from this model"),
    sent: { user: "u" },
  },
  {
    name: "a member that was not sent",
    body: openAi("Unsupported parameter: 'seed'", "seed"),
    sent: { temperature: 1 },
  },
  {
    name: "half the API",
    body: openAi(
      "Unknown field x_y, not allowed; known are top_p, top_k, min_p, logit_bias, seed_x",
    ),
    sent: { top_p: 1, top_k: 1, min_p: 1, logit_bias: {}, seed_x: 1 },
  },
  {
    name: "a long name",
    body: openAi("Invalid 'user': string too long. Expected at most 64 characters.", "user"),
    sent: { user: "u".repeat(81) },
  },
])("an error about $name teaches nothing: the next target is asked", ({ body, sent }) => {
  expect(taught(body, sent)).toBeNull();
});

test.each([401, 402, 404, 429, 500])("a %d teaches nothing", (status) => {
  expect(
    taught(openAi("Unsupported parameter: 'top_k'", "top_k"), { top_k: 1 }, status),
  ).toBeNull();
});

test("lessons add up", () => {
  const first = taught(openAi("Unsupported parameter: 'top_k'"), { top_k: 1 });
  const second = taught(openAi("Unsupported parameter: 'min_p'"), { min_p: 1 });
  if (first === null || second === null) throw new Error("nothing was learned");
  const both = joinLessons(joinLessons(undefined, first), second);

  expect(sentTo({ type: "openai-compatible", lesson: both }, { top_k: 1, min_p: 1 })).toEqual({});
});

interface VendorError {
  readonly id: string;
  readonly status: number | null;
  readonly body: string;
}

const cases: VendorError[] = readFileSync(
  join(import.meta.dir, "../../health/vendor-errors.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const EVERYTHING = {
  max_tokens: 9,
  max_completion_tokens: 9,
  temperature: 0.7,
  top_p: 0.5,
  user: "u",
  stop: ["x"],
  store: true,
  seed: 7,
  service_tier: "auto",
  reasoning_effort: "high",
  messages: [{ ...user, name: "ann" }, { ...called, reasoning_content: "r" }, result],
};

test("of all saved errors only those about members teach something", () => {
  const teachers = cases.flatMap(({ id, status, body }) =>
    status !== null && taught(body, EVERYTHING, status) !== null ? [id] : [],
  );

  expect(teachers).toEqual(["err-bad-request-01", "err-bad-request-04"]);
});

test("no text makes it throw, or drop what a request needs", () => {
  const words = fc.constantFrom("unsupported", "messages", "model", "'tools'", "top_k", "(", "9");
  const property = fc.property(fc.array(words), (list) => {
    const sent = { ...EVERYTHING, model: "m", tools: [{}], stream: true, top_k: 1 };
    const lesson = lessonOf({ status: 400, message: list.join(" "), param: null }, sent);
    const names = [...(lesson?.members ?? new Map<string, unknown>()).keys()];

    expect(names.filter((name) => ["model", "messages", "tools", "stream"].includes(name))).toEqual(
      [],
    );
  });

  fc.assert(property);
});
