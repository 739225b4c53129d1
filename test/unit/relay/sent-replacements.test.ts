import { expect, test } from "bun:test";

import { SentReplacements } from "../../../src/relay/sent-replacements.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const found = ({ is_utf8, has_sent_replacement }: SentReplacements) => ({
  is_utf8,
  has_sent_replacement,
});

test.each([
  { name: "text without any", text: "café", bytes: utf8("café"), sent: null, is_utf8: true },
  {
    name: "one that was sent",
    text: "caf\uFFFD",
    bytes: utf8("caf\uFFFD"),
    sent: true,
    is_utf8: true,
  },
  {
    name: "one that was sent escaped",
    text: "caf\uFFFD",
    bytes: utf8(String.raw`{"content":"caf\uFFFD"}`),
    sent: true,
    is_utf8: true,
  },
  {
    name: "one that stands for a byte that is no UTF-8",
    text: "caf\uFFFD",
    bytes: Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
    sent: false,
    is_utf8: false,
  },
  {
    name: "one that nobody sent",
    text: "caf\uFFFD",
    bytes: utf8("café"),
    sent: false,
    is_utf8: true,
  },
])("where a U+FFFD comes from: $name", ({ text, bytes, sent, is_utf8 }) => {
  const replacements = new SentReplacements();

  replacements.look(text, bytes);

  expect(found(replacements)).toEqual({ is_utf8, has_sent_replacement: sent });
});

test("one that was sent speaks for the others, and bytes that are no UTF-8 are not forgotten", () => {
  const replacements = new SentReplacements();

  replacements.look("\uFFFD", Uint8Array.of(0xe9));
  replacements.look("\uFFFD", utf8("\uFFFD"));
  replacements.look("fine", utf8("fine"));

  expect(found(replacements)).toEqual({ is_utf8: false, has_sent_replacement: true });
});
