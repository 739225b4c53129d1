import { expect, test } from "bun:test";

import { readWireModel, type WireModel, wireText } from "../../../src/address/wire-model.ts";

const HEADS = new Set(["openai", "ollama", "my-box", "mistral"]);
const read = (text: string) => readWireModel(text, (name) => HEADS.has(name));

const spec = (provider: string, model: string | null, text: string): WireModel => ({
  kind: "spec",
  spec: { provider, model, params: {}, instance: null },
  text,
});

test.each<{ text: string; means: WireModel }>([
  { text: "", means: { kind: "auto" } },
  { text: "auto", means: { kind: "auto" } },
  { text: " Auto ", means: { kind: "auto" } },
  { text: "default", means: { kind: "auto" } },
  { text: "veriroute/", means: { kind: "auto" } },
  { text: "veriroute/auto", means: { kind: "auto" } },
  { text: "lane:deep", means: { kind: "lane", name: "deep" } },
  { text: "POOL:Main", means: { kind: "pool", name: "Main" } },
  { text: "veriroute/pool:main", means: { kind: "pool", name: "main" } },
  { text: "profile:frugal", means: { kind: "profile", name: "frugal" } },
  { text: "pool:", means: { kind: "pool", name: "" } },
  { text: "pool", means: { kind: "bare", name: "pool" } },
  { text: "auto:x", means: { kind: "bare", name: "auto:x" } },
  { text: "openai:gpt-5.4", means: spec("openai", "gpt-5.4", "openai:gpt-5.4") },
  { text: "Veriroute/OpenAI:GPT-4o", means: spec("openai", "GPT-4o", "OpenAI:GPT-4o") },
  { text: "MY-BOX:m", means: spec("my-box", "m", "MY-BOX:m") },
  { text: "mistral", means: spec("mistral", null, "mistral") },
  { text: "ollama:llama3.3:70b", means: spec("ollama", "llama3.3:70b", "ollama:llama3.3:70b") },
  { text: "llama3.3:70b", means: { kind: "bare", name: "llama3.3:70b" } },
  { text: "nvidia/nemotron:free", means: { kind: "bare", name: "nvidia/nemotron:free" } },
  { text: "gpt-4o-mini", means: { kind: "bare", name: "gpt-4o-mini" } },
  { text: "openai/gpt-4o", means: { kind: "bare", name: "openai/gpt-4o" } },
  { text: "openai /x:y", means: { kind: "bare", name: "openai /x:y" } },
  { text: "my model", means: { kind: "bare", name: "my model" } },
  { text: "100%", means: { kind: "bare", name: "100%" } },
  { text: "__proto__", means: { kind: "bare", name: "__proto__" } },
  { text: "veriroute/veriroute/x", means: { kind: "bare", name: "veriroute/x" } },
  {
    text: "openai:",
    means: { kind: "invalid", error: "empty_model", message: expect.any(String) },
  },
  {
    text: "a\u0007b",
    means: { kind: "invalid", error: "control_char", message: expect.any(String) },
  },
  {
    text: "x".repeat(100_000),
    means: { kind: "invalid", error: "too_long", message: expect.any(String) },
  },
])("a model string is read as $means.kind (case %#)", ({ text, means }) => {
  expect(read(text)).toEqual(means);
});

test("only the router's own prefix is taken off, and once", () => {
  expect(["veriroute/veriroute/x", "openrouter/x-ai/grok-4", "xveriroute/y"].map(wireText)).toEqual(
    ["veriroute/x", "openrouter/x-ai/grok-4", "xveriroute/y"],
  );
});
