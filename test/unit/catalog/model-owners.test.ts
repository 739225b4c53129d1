import { expect, test } from "bun:test";

import { modelOwner } from "../../../src/catalog/model-owners.ts";
import { PROVIDER_TYPES, providerType } from "../../../src/catalog/provider-types.ts";

test.each<{ name: string; owner: string | null }>([
  { name: "gpt-5.4", owner: "openai" },
  { name: "GPT-4o", owner: "openai" },
  { name: "o3", owner: "openai" },
  { name: "o4-mini", owner: "openai" },
  { name: "text-embedding-3-small", owner: "openai" },
  { name: "claude-opus-5-5", owner: "anthropic" },
  { name: "gemini-3.8-flash", owner: "gemini" },
  { name: "grok-4", owner: "xai" },
  { name: "deepseek-v4-flash", owner: "deepseek" },
  { name: "mistral-small-latest", owner: "mistral" },
  { name: "codestral-latest", owner: "mistral" },
  { name: "sonar-pro", owner: "perplexity" },
  { name: "kimi-k2.7", owner: "moonshot" },
  { name: "glm-5.3-flash", owner: "zai" },
  { name: "command-a-03-2025", owner: "cohere" },
  { name: "qwen-max", owner: "alibaba" },
  // Open weights and tags that anyone may serve.
  { name: "gpt-oss-120b", owner: null },
  { name: "gpt-oss:20b", owner: null },
  { name: "deepseek-r1:7b", owner: null },
  { name: "deepseek-r1", owner: null },
  { name: "mistral", owner: null },
  { name: "mistral-nemo", owner: null },
  { name: "qwen3-30b", owner: null },
  { name: "llama3.3", owner: null },
  { name: "openai/gpt-4o", owner: null },
  { name: "olmo-2", owner: null },
  { name: "does-not-exist", owner: null },
  { name: "", owner: null },
])("$name belongs to $owner", ({ name, owner }) => {
  expect(modelOwner(name)).toBe(owner);
  if (owner !== null) expect(providerType(owner)?.id).toBe(owner);
});

test("a vendor's own default model is its own", () => {
  const foreign = PROVIDER_TYPES.filter(({ id, default_model }) => {
    const owner = modelOwner(default_model ?? "");
    return owner !== null && owner !== id;
  });

  expect(foreign).toEqual([]);
});
