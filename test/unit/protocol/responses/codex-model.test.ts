import { expect, test } from "bun:test";

import { codexModel } from "../../../../src/protocol/responses/codex-model.ts";

const FACTS = {
  display_name: "Main",
  base_instructions: "You are a coding agent.",
  context_window: 128_000,
  efforts: ["low", "medium", "high"],
  takes_images: true,
  priority: 1,
};

test("an entry has every member that Codex does not read without", () => {
  expect(codexModel("pool:main", FACTS)).toEqual({
    slug: "pool:main",
    display_name: "Main",
    base_instructions: "You are a coding agent.",
    supported_reasoning_levels: ["low", "medium", "high"].map((effort) => ({
      effort,
      description: effort,
    })),
    default_reasoning_level: "medium",
    shell_type: "shell_command",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    support_verbosity: false,
    supports_parallel_tool_calls: true,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    experimental_supported_tools: [],
    input_modalities: ["text", "image"],
    context_window: 128_000,
  });
});

test("what is not known is left out", () => {
  const entry = codexModel("m", {
    ...FACTS,
    context_window: null,
    efforts: [],
    takes_images: false,
  });

  expect(entry).not.toHaveProperty("context_window");
  expect(entry).not.toHaveProperty("default_reasoning_level");
  expect(entry["input_modalities"]).toEqual(["text"]);
});
