import { expect, test } from "bun:test";

import type { Dialect } from "../../../src/protocol/dialect.ts";
import { chatView } from "../../../src/relay/chat-view.ts";
import { requestProfile } from "../../../src/relay/request-profile.ts";
import type { Charset } from "../../../src/verify/prompt/prompt-profile.ts";

const profileOf = (body: string, dialect: Dialect = "chat") =>
  requestProfile({
    body: new TextEncoder().encode(body),
    view: chatView({ dialect, parsed: JSON.parse(body) }),
  });
const says = (content: string) =>
  `{"model":"m","messages":[{"role":"user","content":"${content}"}]}`;

test.each<{ name: string; body: string; charset: Charset }>([
  { name: "plain text", body: says("hi"), charset: "ascii" },
  { name: "letters beyond ASCII", body: says("café"), charset: "non_ascii" },
  {
    name: "escapes of letters beyond ASCII",
    body: says(String.raw`caf\u00e9`),
    charset: "non_ascii",
  },
  { name: "escapes of plain letters", body: says(String.raw`\u0041`), charset: "ascii" },
  { name: "a backslash before a u", body: says(String.raw`C:\\users`), charset: "ascii" },
  {
    name: "letters beyond ASCII that no model reads",
    body: '{"model":"m","metadata":{"who":"José"},"messages":[]}',
    charset: "ascii",
  },
])("the charset of a prompt with $name is $charset", ({ body, charset }) => {
  expect(profileOf(body).prompt.charset()).toBe(charset);
});

const file = { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } };
const pdf = { type: "document", source: { type: "base64", media_type: "a/pdf", data: "JVBERi0=" } };
const stored = { type: "document", source: { type: "file", file_id: "file_1" } };

test.each<{ name: string; dialect: Dialect; ask: object; charset: Charset }>([
  {
    name: "earlier turns are kept at the vendor",
    dialect: "responses",
    ask: { input: "hi", previous_response_id: "resp_1" },
    charset: "non_ascii",
  },
  {
    name: "the conversation is kept at the vendor",
    dialect: "responses",
    ask: { input: "hi", conversation: "conv_1" },
    charset: "non_ascii",
  },
  {
    name: "the prompt is kept at the vendor",
    dialect: "responses",
    ask: { input: "hi", prompt: { id: "pmpt_1" } },
    charset: "non_ascii",
  },
  {
    name: "an item is named by its id",
    dialect: "responses",
    ask: { input: [{ type: "item_reference", id: "msg_1" }] },
    charset: "non_ascii",
  },
  {
    name: "a file is kept at the vendor",
    dialect: "responses",
    ask: { input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }] },
    charset: "non_ascii",
  },
  {
    name: "a file is sent along",
    dialect: "responses",
    ask: { input: [{ role: "user", content: [{ type: "input_file", file_data: "data:," }] }] },
    charset: "non_ascii",
  },
  {
    name: "a tool that runs at the vendor is offered",
    dialect: "responses",
    ask: { input: "hi", tools: [{ type: "code_interpreter" }] },
    charset: "ascii",
  },
  {
    name: "a file is sent along",
    dialect: "chat",
    ask: { messages: [{ role: "user", content: [file] }] },
    charset: "non_ascii",
  },
  {
    name: "the vendor searches the web",
    dialect: "chat",
    ask: { messages: [], web_search_options: {} },
    charset: "non_ascii",
  },
  {
    name: "a document is sent along",
    dialect: "messages",
    ask: { messages: [{ role: "user", content: [pdf] }] },
    charset: "non_ascii",
  },
  {
    name: "a tool answers with a document",
    dialect: "messages",
    ask: {
      messages: [
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [pdf] }] },
      ],
    },
    charset: "non_ascii",
  },
  {
    name: "a document is kept at the vendor",
    dialect: "messages",
    ask: { messages: [{ role: "user", content: [stored] }] },
    charset: "non_ascii",
  },
  {
    name: "nothing but text is there",
    dialect: "messages",
    ask: { system: "s", messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
    charset: "ascii",
  },
  {
    name: "letters beyond ASCII are where no model reads",
    dialect: "responses",
    ask: { input: "hi", metadata: { who: "José" } },
    charset: "ascii",
  },
])("where $name in $dialect, the prompt counts as $charset", ({ dialect, ask, charset }) => {
  expect(profileOf(JSON.stringify(ask), dialect).prompt.charset()).toBe(charset);
});

const target = (params: Record<string, number>) => ({ instance: "a", model: "m", params });

test.each([
  { name: "the client's", body: '{"max_tokens":5}', params: { max_tokens: 9 }, cap: 5 },
  { name: "that of the target's params", body: "{}", params: { max_completion_tokens: 9 }, cap: 9 },
  { name: "none", body: "{}", params: {}, cap: null },
])("the cap on an answer is $name", ({ body, params, cap }) => {
  expect(profileOf(body).factsFor(target(params), {}).max_tokens).toBe(cap);
});

test.each([
  { asked: "auto", model: "echo", is_echo: true },
  { asked: "sim:echo", model: "echo", is_echo: true },
  { asked: "auto", model: "m", is_echo: false },
])("$asked at the model $model asks for an echo: $is_echo", ({ asked, model, is_echo }) => {
  const profile = profileOf(JSON.stringify({ model: asked, messages: [] }));

  expect(profile.factsFor({ ...target({}), model }, {}).asks_for_echo).toBe(is_echo);
});

test("whether reasoning may stand in the text is the provider's to say", () => {
  const profile = profileOf("{}");

  expect(
    [{}, { inline_reasoning: true }].map(
      (instance) => profile.factsFor(target({}), instance).has_inline_reasoning,
    ),
  ).toEqual([false, true]);
});

test("a request is read once, however many targets answer it", () => {
  const reads: string[] = [];
  const body = says("café");
  const view = new Proxy<Record<string, unknown>>(JSON.parse(body), {
    get(object, key) {
      reads.push(String(key));
      return Reflect.get(object, key);
    },
  });
  const profile = requestProfile({
    body: new TextEncoder().encode(body),
    view: { body: view, lossy: [], refused: [] },
  });

  const before = reads.length;
  profile.factsFor(target({}), {});
  profile.prompt.charset();
  const once = [...reads];
  for (let n = 0; n < 3; n++) {
    profile.factsFor(target({}), {});
    profile.prompt.charset();
  }

  expect(before).toBe(0);
  expect(once).toContain("messages");
  expect(reads).toEqual(once);
});
