import { expect, test } from "bun:test";

import { PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { profileOfText } from "../../../src/verify/prompt/prompt-profile.ts";
import { BARE_REQUEST } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";
import { unfenced } from "../../../src/verify/text/code-fence.ts";

test.each([
  { name: "a fence with a language", text: "```json\n{}\n```", inner: "\n{}\n" },
  { name: "a fence without", text: "```\n{}\n```", inner: "\n{}\n" },
  { name: "blanks around a fence", text: " \n```\n{}\n```\n", inner: "\n{}\n" },
  { name: "a fence on one line", text: "``` {} ```", inner: " {} " },
  { name: "fences within a fence", text: "```\n```\n{}\n```\n```", inner: "\n```\n{}\n```\n" },
  { name: "an empty fence", text: "``````", inner: "" },
  { name: "fewer marks than two fences have", text: "`````", inner: null },
  { name: "a fence that nothing closes", text: "```json\n{}", inner: null },
  { name: "words behind a fence", text: "```\n{}\n```\nThere.", inner: null },
  { name: "no fence", text: "{}", inner: null },
])("of $name there is left $inner", ({ text, inner }) => {
  expect(unfenced(text)).toBe(inner);
});

// Where the work grows with more than the length, each answer takes a second or many.
test.each([
  { name: "letters", text: `\`\`\`${"a".repeat(64_000)}` },
  { name: "blanks", text: `\`\`\`${" ".repeat(64_000)}x` },
  { name: "few blanks", text: `\`\`\`${" ".repeat(2_000)}x` },
  { name: "line ends", text: `\`\`\`json${"\n".repeat(64_000)}x` },
  { name: "marks", text: `${"``` ".repeat(16_000)}x` },
])(
  "answers with a fence of $name that nothing closes stall nobody",
  ({ text }) => {
    const signatures = Array.from({ length: 4 }, () => signatureOf(text));

    expect(signatures).toEqual(Array(4).fill("structured_invalid"));
  },
  2_000,
);

function signatureOf(text: string): string | null {
  const format = { kind: "json_object", schema: null } as const;
  const request = { ...BARE_REQUEST, tools: ["find"], format };
  const scanner = createScanner({ prompt: profileOfText("Find it."), request });
  scanner.push(text);
  return scanner.end({ ...PLAIN_ANSWER, finish: "stop" }).verdict.signature;
}
