import { expect, test } from "bun:test";

import { chatQuirks } from "../../../src/catalog/chat-quirks/find-chat-quirks.ts";
import { HOST_ROWS } from "../../../src/catalog/chat-quirks/host-rows.ts";
import { THINKING_ROWS } from "../../../src/catalog/chat-quirks/thinking-rows.ts";
import { VENDOR_ROWS } from "../../../src/catalog/chat-quirks/vendor-rows.ts";
import { PROVIDER_TYPES } from "../../../src/catalog/provider-types.ts";

const ROWS = [...VENDOR_ROWS, ...THINKING_ROWS, ...HOST_ROWS];

test("every row is of known types and says where its facts come from", () => {
  const known = new Set(PROVIDER_TYPES.map(({ id }) => id));
  const strangers = ROWS.flatMap(({ types }) => types).filter((type) => !known.has(type));

  expect(strangers).toEqual([]);
  expect(ROWS.filter(({ source }) => source === "")).toEqual([]);
});

test("every vendor of chat has a row, but for servers that nobody knows", () => {
  const described = new Set(ROWS.flatMap(({ types }) => types));
  const bare = PROVIDER_TYPES.filter(({ paths }) => paths.chat !== null)
    .map(({ id }) => id)
    .filter((id) => !described.has(id));

  expect(bare.toSorted()).toEqual(["openai-compatible", "sim"]);
});

test("no row has a word for what the router itself decides", () => {
  const own = ["model", "messages", "stream", "stream_options", "veriroute"];
  const ruled = PROVIDER_TYPES.filter((type) => {
    const { members } = chatQuirks(type, "m");
    return own.some((name) => members.has(name));
  });

  expect(ruled).toEqual([]);
});

test.each<{ id: string; model: string; member: string; rule: "renamed" | "refused" | undefined }>([
  { id: "openai", model: "GPT-5.4", member: "max_tokens", rule: "renamed" },
  { id: "openai", model: "gpt-4.1", member: "max_tokens", rule: undefined },
  { id: "openai", model: "o4-mini", member: "temperature", rule: "refused" },
  { id: "openai", model: "gpt-5.4", member: "temperature", rule: undefined },
  { id: "openai", model: "gpt-5.4", member: "top_k", rule: "refused" },
  { id: "vllm", model: "m", member: "top_k", rule: undefined },
  { id: "mistral", model: "m", member: "seed", rule: "renamed" },
  { id: "mistral", model: "m", member: "prompt_mode", rule: undefined },
])("$id $model: the rule for $member", ({ id, model, member, rule }) => {
  const found = chatQuirks({ id, name: id }, model).members.get(member);

  expect(found?.kind).toBe(rule);
});

test("a type without rows has no quirks at all", () => {
  expect(chatQuirks({ id: "openai-compatible", name: "Mine" }, "deepseek-v4")).toEqual({
    vendor: "Mine",
    members: new Map(),
    effort: null,
    messages: {
      system_role: false,
      drops: new Set(),
      reasoning: null,
      fills_reasoning: "never",
      thinking_parts: true,
      call_ids: "any",
      signatures: false,
      prefill: null,
      ends_with_user: false,
      images: "any",
    },
  });
});
