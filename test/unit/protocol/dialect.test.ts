import { expect, test } from "bun:test";

import { type Dialect, type DialectPaths, wireFor } from "../../../src/protocol/dialect.ts";

const NO_PATHS: DialectPaths = {
  chat: null,
  completions: null,
  embeddings: null,
  messages: null,
  responses: null,
};

const pathsOf = (dialects: readonly string[]): DialectPaths => ({
  ...NO_PATHS,
  ...Object.fromEntries(dialects.map((dialect) => [dialect, `/${dialect}`])),
});

test.each<{ dialect: Dialect; has: Dialect[]; wire: Dialect | null }>([
  { dialect: "chat", has: ["chat", "messages", "responses"], wire: "chat" },
  { dialect: "chat", has: ["messages", "responses"], wire: "messages" },
  { dialect: "chat", has: ["responses"], wire: "responses" },
  { dialect: "messages", has: ["chat", "messages", "responses"], wire: "messages" },
  { dialect: "messages", has: ["chat", "responses"], wire: "chat" },
  { dialect: "messages", has: ["responses"], wire: "responses" },
  { dialect: "responses", has: ["chat", "messages", "responses"], wire: "responses" },
  { dialect: "responses", has: ["chat", "messages"], wire: "chat" },
  { dialect: "responses", has: ["messages"], wire: "messages" },
  { dialect: "completions", has: ["chat", "completions"], wire: "completions" },
  { dialect: "completions", has: ["chat", "messages"], wire: null },
  { dialect: "embeddings", has: ["embeddings"], wire: "embeddings" },
  { dialect: "embeddings", has: ["chat"], wire: null },
  { dialect: "chat", has: [], wire: null },
])("a $dialect request to a provider with $has is sent as $wire", ({ dialect, has, wire }) => {
  expect(wireFor(dialect, pathsOf(has))).toBe(wire);
});
