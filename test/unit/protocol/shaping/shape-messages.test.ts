import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import { called, calling, messagesOf, result, sentTo, shaped, user } from "./shaped.ts";

test.each([
  { type: "openai", role: "developer" },
  { type: "openrouter", role: "developer" },
  { type: "openai-compatible", role: "developer" },
  { type: "groq", role: "system" },
  { type: "gemini", role: "system" },
  { type: "vllm", role: "system" },
  { type: "ollama", role: "system" },
])("a developer's words are $role's for $type", ({ type, role }) => {
  const text = '{"messages":[{"role":"developer" , "content":"x"},{"role":"user","content":"q"}]}';

  expect(shaped(text, { type, pinned: true }).text).toBe(text.replace('"developer"', `"${role}"`));
});

test("names, cache marks and what vendors hang on calls go where they are errors", () => {
  const cache_control = { type: "ephemeral" };
  const body = {
    messages: [
      { role: "user", name: "ann", content: [{ type: "text", text: "q", cache_control }] },
      calling({ tool_calls: [called("c1", { extra_content: { google: {} } })] }),
      { ...result(), name: "f" },
    ],
    tools: [{ type: "function", function: { name: "f" }, cache_control }],
  };

  const got = shaped(JSON.stringify(body), { type: "groq", pinned: true });

  expect({ sent: JSON.parse(got.text), lossy: got.lossy, refused: got.refused }).toEqual({
    sent: {
      messages: [
        { role: "user", content: [{ type: "text", text: "q" }] },
        calling(),
        { ...result(), name: "f" },
      ],
      tools: [{ type: "function", function: { name: "f" } }],
    },
    lossy: [
      "messages.name",
      "messages.content.cache_control",
      "messages.tool_calls.extra_content",
      "tools.cache_control",
    ],
    refused: [],
  });
});

test("arguments that are no text at all are those of a call without any, for everyone", () => {
  const empty = called("c1", { function: { name: "f", arguments: "" } });
  const body = { messages: [user, calling({ tool_calls: [empty] }), result()] };

  expect(sentTo({ type: "openai-compatible" }, body)).toEqual({
    messages: [user, calling(), result()],
  });
});

test("Mistral's ids are nine letters, the same in call and result and in every turn", () => {
  const long = "call_0123456789";
  const turn = [user, calling({}, long), result(long)];
  const first = messagesOf(sentTo({ type: "mistral" }, { messages: turn }));
  const again = messagesOf(
    sentTo(
      { type: "mistral" },
      { messages: [...turn, user, calling({}, "other"), result("other")] },
    ),
  );

  const id = first[2]?.["tool_call_id"];
  expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(again.slice(0, 3)).toEqual(first);
  expect(first[1]).toEqual(calling({}, String(id)));
  expect(again[5]?.["tool_call_id"]).not.toBe(id);
});

const isNine = (one: unknown) => typeof one === "string" && /^[a-zA-Z0-9]{9}$/.test(one);

test("ids that differ go on differing, whatever they are", () => {
  const id = fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[a-zA-Z0-9]{9}$/));
  const property = fc.property(fc.uniqueArray(id, { maxLength: 8 }), (ids) => {
    const messages = ids.flatMap((one) => [calling({}, one), result(one)]);
    const sent = messagesOf(sentTo({ type: "mistral" }, { messages }));
    const spelled = sent.map(({ tool_call_id: one }) => one).filter((one) => one !== undefined);

    expect(new Set(spelled).size).toBe(ids.length);
    expect(spelled.every(isNine)).toBe(true);
    const places = sent.map(({ tool_calls, tool_call_id }) => {
      return tool_call_id ?? objectOf(arrayOf(tool_calls)[0])["id"];
    });
    expect(places.filter((_, at) => at % 2 === 0)).toEqual(places.filter((_, at) => at % 2 === 1));
  });

  fc.assert(property);
});

const signed = (thought_signature: string) => ({
  extra_content: { google: { thought_signature } },
});
const DUMMY = "skip_thought_signature_validator";

test.each([
  {
    name: "its own signature",
    calls: [called("a", signed("s"))],
    left: [called("a", signed("s"))],
  },
  { name: "none", calls: [called("a")], left: [called("a", signed(DUMMY))] },
  {
    name: "the first of two calls at once",
    calls: [called("a"), called("b")],
    left: [called("a", signed(DUMMY)), called("b")],
  },
  {
    name: "something else of Google's",
    calls: [called("a", { extra_content: { google: { thought: true } } })],
    left: [called("a", { extra_content: { google: { thought: true, thought_signature: DUMMY } } })],
  },
])("Gemini 3 is sent calls with $name signed", ({ calls, left }) => {
  const earlier = { role: "assistant", content: null, tool_calls: [called("z")] };
  const turn = (tool_calls: readonly JsonObject[]) => ({
    messages: [user, earlier, result("z"), user, { role: "assistant", tool_calls }, result("a")],
  });

  expect(sentTo({ type: "gemini", model: "gemini-3.8-flash" }, turn(calls))).toEqual(turn(left));
});

const signedTurn = (signature: string) => ({
  messages: [user, calling({ tool_calls: [called("a", signed(signature))] }), result("a"), user],
});

test("signatures that are not Gemini's are replaced everywhere once it said so", () => {
  const to = { type: "gemini", model: "gemini-3.8-flash", is_foreign: true };

  expect(sentTo(to, signedTurn("foreign"))).toEqual(signedTurn(DUMMY));
});

test("a signature's spelling survives other changes of its message", () => {
  const call =
    '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"\\u0041\\/b=="}}}';
  const text = (more: string) =>
    `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null${more},"tool_calls":[${call}]},{"role":"tool","tool_call_id":"a","content":"1"}]}`;
  const to = { type: "gemini", model: "gemini-3.8-flash" };

  expect(shaped(text(',"reasoning_content":"r"'), to).text).toBe(text(""));
});

const begun = { role: "assistant", content: "I" };

test.each([
  { type: "mistral", last: begun, left: { ...begun, prefix: true } },
  { type: "mistral", last: { ...begun, prefix: true }, left: { ...begun, prefix: true } },
  { type: "mistral", last: { ...begun, partial: true }, left: { ...begun, prefix: true } },
  { type: "mistral", last: { role: "system", content: "s" }, left: { role: "user", content: "s" } },
  {
    type: "mistral",
    last: { role: "developer", content: "s" },
    left: { role: "user", content: "s" },
  },
  { type: "mistral", last: user, left: user },
  { type: "deepseek", last: begun, left: begun },
  { type: "deepseek", last: { ...begun, partial: true }, left: { ...begun, prefix: true } },
  {
    type: "moonshot",
    last: { ...begun, prefix: true, partial: false },
    left: { ...begun, partial: true },
  },
  { type: "groq", last: { ...begun, prefix: true }, left: begun },
  { type: "openai-compatible", last: { ...begun, prefix: true }, left: { ...begun, prefix: true } },
])("$type gets $last at the end as $left", ({ type, last, left }) => {
  expect(messagesOf(sentTo({ type }, { messages: [user, last] })).at(-1)).toEqual(left);
});

const image = (url: string) => ({ type: "image_url", image_url: { url } });

test.each([
  { url: "https://h/a.png", isTaken: false },
  { url: "http://169.254.169.254/latest", isTaken: false },
  { url: "file:///etc/passwd", isTaken: false },
  { url: "data:image/gif;base64,AAAA", isTaken: false },
  { url: "data:image/png;base64,AAAA", isTaken: true },
  { url: "data:image/jpeg;base64,AAAA", isTaken: true },
  { url: "data:image/webp;base64,AAAA", isTaken: true },
])("Ollama is sent the image $url: $isTaken, pool or not", ({ url, isTaken }) => {
  const content = [{ type: "text", text: "?" }, image(url)];
  const text = JSON.stringify({ messages: [{ role: "user", content }] });
  for (const pinned of [true, false]) {
    const got = shaped(text, { type: "ollama", pinned });

    expect({ text: got.text, params: got.refused.map(({ param }) => param) }).toEqual({
      text,
      params: isTaken ? [] : ["messages[0].content[1].image_url"],
    });
  }
});

test("the address of an image is nobody else's trouble", () => {
  const text = JSON.stringify({
    messages: [{ role: "user", content: [image("https://h/a.png")] }],
  });

  expect(shaped(text, { type: "openrouter" })).toMatchObject({ text, refused: [] });
});

test.each([
  { messages: null },
  { messages: {} },
  { messages: [null, 7, "x", []] },
  { messages: [{}] },
  { messages: [{ role: "assistant", content: [null, 7], tool_calls: [null, {}], reasoning: 7 }] },
])("$messages is the vendor's to judge", ({ messages }) => {
  for (const type of ["mistral", "gemini", "deepseek", "ollama", "groq"]) {
    expect(() => shaped(JSON.stringify({ messages, tools: [null] }), { type })).not.toThrow();
  }
});

test("a body shaped for a vendor needs no more shaping for it", () => {
  const body = {
    max_completion_tokens: 9,
    seed: 7,
    reasoning_effort: "max",
    tool_choice: "required",
    messages: [
      { role: "developer", content: "d", name: "x" },
      user,
      calling({ reasoning: "r", reasoning_content: "s", refusal: null }),
      result(),
      { ...begun, partial: true, content: [{ type: "thinking", thinking: "t" }] },
    ],
  };
  for (const type of ["openai", "mistral", "gemini", "deepseek", "groq", "ollama", "moonshot"]) {
    const once = sentTo({ type, model: "deepseek-v4-gemini-3" }, body);

    expect(sentTo({ type, model: "deepseek-v4-gemini-3" }, once)).toEqual(once);
  }
});
