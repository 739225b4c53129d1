import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { bodyStrings, safeErrorText } from "../../../src/protocol/error-text.ts";

function safe(
  text: string,
  { body = {}, secrets = [] }: { body?: unknown; secrets?: readonly string[] } = {},
) {
  return safeErrorText({ text, bodyStrings: bodyStrings(body), secrets });
}

describe("what the client sees of an upstream's error text", () => {
  test.each([
    { what: "an ordinary text", text: "prompt is too long: 9 tokens > 8 maximum" },
    { what: "umlauts and emoji", text: "Modell „größer“ fehlt 🙂" },
  ])("$what stays as it is", ({ text }) => {
    expect(safe(text)).toBe(text);
  });

  test("it ends after 300 characters, never inside one", () => {
    expect(safe("x".repeat(5000))).toBe("x".repeat(300));
    expect(safe(`${"x".repeat(299)}🙂`)).toBe("x".repeat(299));
  });

  test("control and direction characters become spaces", () => {
    expect(safe("a\u001b[31mb\r\nc\u202Ed\u0000")).toBe("a [31mb  c d");
  });

  test.each(["", "   ", "\u0000\n"])("%p leaves nothing to say", (text) => {
    expect(safe(text)).toBeNull();
  });

  test.each([
    {
      what: "a key of ours",
      text: "Bad key abcdef1234!",
      secrets: ["abcdef1234"],
      wants: "Bad key [redacted]!",
    },
    {
      what: "a key by its shape",
      text: "Bad request for key sk-prov-abcdef",
      secrets: [],
      wants: "Bad request for key [redacted]",
    },
    {
      what: "a bearer token",
      text: "Bearer abc.def-123 is bad",
      secrets: [],
      wants: "Bearer [redacted] is bad",
    },
    { what: "a Google key", text: "AIzaSyA1234567890_abc", secrets: [], wants: "[redacted]" },
    {
      what: "a key in a URL",
      text: "at /v1?key=abcdefgh&x=1",
      secrets: [],
      wants: "at /v1?key=[redacted]&x=1",
    },
    {
      what: "a key in JSON",
      text: '{"api_key": "abcdefgh"}',
      secrets: [],
      wants: '{"api_key": "[redacted]"}',
    },
  ])("$what is redacted", ({ text, secrets, wants }) => {
    expect(safe(text, { secrets })).toBe(wants);
  });

  test("a key that the cut would halve is redacted whole", () => {
    const shown = safe(`${"x".repeat(290)} sk-proj-0123456789abcdef`);

    expect(shown).not.toContain("sk-");
  });
});

describe("a text that repeats the request", () => {
  const secret = "my grandmother's recipe";

  test.each([
    { where: "a message", body: { messages: [{ role: "user", content: `tell ${secret} now` }] } },
    {
      where: "a content part",
      body: { messages: [{ content: [{ type: "text", text: secret }] }] },
    },
    { where: "tool arguments", body: { tools: [{ function: { description: secret } }] } },
    { where: "a key", body: { metadata: { [secret]: 1 } } },
    { where: "deep nesting", body: nest(secret, 20_000) },
  ])("from $where gives way to our own words", ({ body }) => {
    expect(safe(`Invalid input: ${secret}!`, { body })).toBeNull();
  });

  test("fifteen characters may coincide, sixteen may not", () => {
    const text = "Unsupported value: abcdefghijklmnop";

    expect(safe(text, { body: ["abcdefghijklmno"] })).toBe(text);
    expect(safe(text, { body: ["abcdefghijklmnop"] })).toBeNull();
  });

  test("control characters on either side do not hide it", () => {
    expect(safe("say ab\u0001cdef\u0000ghij", { body: ["say\nab\rcdef\tghij"] })).toBeNull();
  });

  test("exactly the texts that share a run of 16 are replaced, wherever it stands", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
    fc.assert(
      fc.property(letters, letters, (text, string) => {
        const starts = Array.from({ length: Math.max(0, text.length - 15) }, (_, at) => at);
        const shared = starts.some((at) => string.includes(text.slice(at, at + 16)));

        expect(safe(text, { body: [string] })).toBe(shared || text === "" ? null : text);
      }),
      { numRuns: 2000 },
    );
  });

  test("a body made of near misses is not searched for ever", () => {
    const body = ["aaaaaaaaaaaaaaac".repeat(50_000)];

    expect(safe("aaaaaaaaaaaaaaab", { body })).toBeNull();
    expect(safe("aaaaaaaaaaaaaaab", { body: ["aaaaaaaaaaaaaaac".repeat(100)] })).not.toBeNull();
  });

  test("a run planted anywhere in a long string is found", () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(40), (before, after) => {
        const string = `${"x".repeat(before)}the planted words${"y".repeat(after)}`;

        expect(safe("about the planted words", { body: { content: string } })).toBeNull();
      }),
    );
  });
});

function nest(value: unknown, depth: number): unknown {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
}
