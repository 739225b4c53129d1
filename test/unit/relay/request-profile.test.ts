import { expect, test } from "bun:test";

import { requestProfile } from "../../../src/relay/request-profile.ts";
import type { Charset } from "../../../src/verify/prompt/prompt-profile.ts";

const profileOf = (body: string) =>
  requestProfile({ body: new TextEncoder().encode(body), view: JSON.parse(body) });
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
  const profile = requestProfile({ body: new TextEncoder().encode(body), view });

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
