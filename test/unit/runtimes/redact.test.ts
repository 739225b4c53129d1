import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { redactText } from "../../../src/runtimes/redact.ts";

test.each([
  { text: "Authorization: Bearer abc.def-123", shown: "Authorization: Bearer [redacted]" },
  { text: "x ya29.a0Af-x_y z", shown: "x [redacted] z" },
  { text: "HF_TOKEN=hf_AbCdEfGhIjKl", shown: "HF_TOKEN=[redacted]" },
  {
    text: "https://h/api?authuser=0&colab-runtime-proxy-token=a.b.c&x=1",
    shown: "https://h/api?authuser=0&colab-runtime-proxy-token=[redacted]&x=1",
  },
  { text: '{"token": "abc", "endpoint": "e"}', shown: '{"token": "[redacted]", "endpoint": "e"}' },
  {
    text: "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\nrest",
    shown: "[redacted]\nrest",
  },
  {
    text: "-----BEGIN OPENSSH PRIVATE KEY-----\ncut off in the",
    shown: "[redacted]",
  },
  {
    text: "the token expired; bearer of bad news",
    shown: "the token expired; bearer of bad news",
  },
])("a text is shown as: $shown", ({ text, shown }) => {
  expect(redactText(text)).toBe(shown);
});

test("a secret that is named is nowhere in the text", () => {
  const secret = fc.string({ minLength: 6 });
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, known, after) => {
      fc.pre(!"[redacted]".includes(known));

      expect(redactText(`${before}${known}${after}`, [known])).not.toContain(known);
    }),
  );
});
