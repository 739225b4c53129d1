import { expect, test } from "bun:test";

import { PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { charsetProfile, profileOfText } from "../../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";

type Body = Readonly<Record<string, unknown>>;

const user = (content: unknown) => ({ role: "user", content });

test.each<{ name: string; body: Body }>([
  { name: "a user's text", body: { messages: [user("café")] } },
  { name: "an earlier turn", body: { messages: [user("café"), user("go on")] } },
  { name: "a system prompt", body: { messages: [{ role: "system", content: "é" }, user("a")] } },
  { name: "a content part", body: { messages: [user([{ type: "text", text: "é" }])] } },
  {
    name: "a tool result",
    body: { messages: [{ role: "tool", tool_call_id: "1", content: "é" }] },
  },
  {
    name: "arguments of an earlier call",
    body: { messages: [{ role: "assistant", tool_calls: [{ function: { arguments: '"é"' } }] }] },
  },
  {
    name: "a tool result of the messages dialect",
    body: {
      messages: [user([{ type: "tool_result", content: [{ type: "text", text: "é" }] }])],
    },
  },
  {
    name: "a document's own text",
    body: { messages: [user([{ source: { type: "text", data: "é" } }])] },
  },
  { name: "the system of the messages dialect", body: { system: [{ type: "text", text: "é" }] } },
  { name: "instructions", body: { instructions: "é", input: "a" } },
  { name: "a bare input", body: { input: "é" } },
  { name: "an input message", body: { input: [user([{ type: "input_text", text: "é" }])] } },
  { name: "a legacy prompt", body: { prompt: ["a", "é"] } },
  {
    name: "a tool's description",
    body: { tools: [{ function: { name: "f", description: "é" } }] },
  },
  {
    name: "a property of a schema that is called id",
    body: { tools: [{ function: { parameters: { properties: { id: { description: "é" } } } } }] },
  },
  {
    name: "the name of a tool's parameter",
    body: { tools: [{ function: { parameters: { properties: { größe: { type: "number" } } } } }] },
  },
  {
    name: "the name of a property of an answer",
    body: {
      messages: [user("a")],
      response_format: { json_schema: { schema: { properties: { "grÃ¶Ã\u009Fe": {} } } } },
    },
  },
  {
    name: "a member of what an earlier call was given",
    body: { messages: [{ role: "assistant", content: [{ type: "tool_use", input: { é: 1 } }] }] },
  },
])("$name makes the prompt not ASCII", ({ body }) => {
  expect(charsetProfile(body).charset()).toBe("non_ascii");
});

test.each<{ name: string; body: Body }>([
  { name: "nothing", body: {} },
  { name: "plain text", body: { messages: [user("hello")] } },
  { name: "what no model reads", body: { user: "é", metadata: { a: "é" }, messages: [user("a")] } },
  {
    name: "an address of an image",
    body: { messages: [user([{ type: "image_url", image_url: { url: "https://x/é.png" } }])] },
  },
])("$name is ASCII", ({ body }) => {
  expect(charsetProfile(body).charset()).toBe("ascii");
});

test("a body nested beyond any stack is read", () => {
  let nested: unknown = "é";
  for (let n = 0; n < 200_000; n++) nested = [nested];

  expect(charsetProfile({ messages: nested }).charset()).toBe("non_ascii");
});

test("a body is read once for all attempts", () => {
  let reads = 0;
  const content = {
    get text() {
      reads++;
      return "hello";
    },
  };
  const profile = charsetProfile({ messages: [user([content])] });
  for (let attempt = 0; attempt < 3; attempt++) profile.charset();

  expect(reads).toBe(1);
});

test("an answer that repeats the mangled name of a property is nobody's fault", () => {
  const body = {
    messages: [user("How big is it?")],
    response_format: {
      type: "json_schema",
      json_schema: { schema: { properties: { "grÃ¶Ã\u009Fe": { type: "number" } } } },
    },
  };

  expect(judged('{"grÃ¶Ã\u009Fe": 7, "LÃ¤nge": 3, "HÃ¶he": 4}', body)).toMatchObject({
    attributable: false,
    trips: false,
  });
});

const MANGLED = "It is \u00E2\u0080\u0094 so, and \u00E2\u0080\u0099 too.";

function judged(text: string, body: Body, finish = "stop") {
  const scanner = createScanner({ prompt: charsetProfile(body), request: readRequestFacts(body) });
  scanner.push(text);
  return scanner.end({ ...PLAIN_ANSWER, finish }).verdict;
}

test.each([
  { signature: "mojibake", text: MANGLED },
  { signature: "replacement_char", text: "mo\uFFFD\uFFFDning, har\uFFFDbour" },
  { signature: "control_chars", text: "It\u0092s a \u0093cat\u0094" },
])(
  "$signature counts against the provider of an ASCII prompt, and is recorded for any other",
  ({ signature, text }) => {
    const plain = [user("hello")];
    const accented = [...plain, { role: "tool", content: "é" }];

    expect([plain, accented].map((messages) => judged(text, { messages }))).toEqual(
      [true, false].map((attributable) => ({
        verdict: "mangled",
        signature,
        scope: "provider",
        detail: null,
        attributable,
        trips: attributable,
      })),
    );
  },
);

test("a legitimate answer beyond ASCII to a prompt beyond ASCII is no verdict at all", () => {
  const body = { messages: [user("Où est le château ?")] };

  expect(judged("Le château est près de l’hôtel.", body)).toMatchObject({
    verdict: "ok",
    signature: null,
  });
});

test("characters that an ASCII prompt does not have are noted, and no verdict on their own", () => {
  const noted = { verdict: "ok", signature: null, trips: false, detail: "beyond ASCII" };
  const text = "月は自分で光りません。";

  expect(judged(text, { messages: [user("Hello")] })).toMatchObject(noted);
  expect(judged(text, { messages: [user("月は？")] })).toMatchObject({ ...noted, detail: null });
  expect(judged("No light.", { messages: [user("Hello")] })).toMatchObject({
    ...noted,
    detail: null,
  });
});

test("what was asked is read from people and short system prompts, not from tools or manuals", () => {
  const page = "<html><title>502 Bad Gateway</title></html>";
  const asked = (messages: readonly unknown[]) => judged(page, { messages }).verdict;

  expect(asked([user("Show me an HTML error page")])).toBe("ok");
  expect(asked([user([{ type: "text", text: "Show me an HTML error page" }])])).toBe("ok");
  expect(asked([{ role: "system", content: "You write HTML." }, user("Go")])).toBe("ok");
  expect(asked([{ role: "system", content: `HTML ${"x".repeat(5_000)}` }, user("Go")])).toBe(
    "malformed",
  );
  expect(asked([user("Go"), { role: "tool", content: "HTML" }])).toBe("malformed");
});

test("a mark that stands anywhere in the prompt is no leak", () => {
  const body = { messages: [user("Go"), { role: "tool", content: "a <|im_end|> b" }] };

  expect(judged("It says <|im_end|>", body)).toMatchObject({ verdict: "suspect", trips: false });
  expect(judged("It says <|im_end|>", { messages: [user("Go")] })).toMatchObject({
    verdict: "leak",
  });
});

test("a charset that is known overrules the text", () => {
  expect(profileOfText("hello", "non_ascii").charset()).toBe("non_ascii");
  expect(profileOfText("é").charset()).toBe("non_ascii");
});
