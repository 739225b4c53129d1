import { expect, test } from "bun:test";

import { dropReasoning } from "../../../../src/protocol/responses/drop-reasoning.ts";
import { packReasoning } from "../../../../src/protocol/responses/packed-reasoning.ts";

const packed = {
  type: "reasoning",
  summary: [],
  encrypted_content: packReasoning({ details: [], calls: new Map() }),
};
const own = { type: "reasoning", summary: [], encrypted_content: "gAAA" };
const bare = { type: "reasoning", summary: [] };
const user = { role: "user", content: "hi" };

test.each([
  { name: "what the router packed", which: "packed", kept: [own, bare, user] },
  { name: "all reasoning, sealed or not", which: "all", kept: [user] },
] as const)("$name is left out, and nothing else", ({ which, kept }) => {
  expect(dropReasoning([packed, own, bare, user], which)).toEqual(kept);
});

test.each([
  { name: "a text", input: "hi" },
  { name: "items without reasoning", input: [user] },
])("$name stays as it is", ({ input }) => {
  expect(dropReasoning(input, "all")).toBeNull();
});
