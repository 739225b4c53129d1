import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DialectRig, openDialectRig, PATHS, type Vendor } from "../support/dialect-rig.ts";
import { answers } from "../support/wire-rig.ts";

let rig: DialectRig;
beforeAll(async () => {
  rig = await openDialectRig({
    config: `[routing]
default_profile = "frugal"
[profiles.frugal]
params = { effort = "low", seed = 7, n = 2, top_k = 40 }
[profiles.odd]
params = { seed = 7, top_k = 40, frequency_penalty = 1 }
`,
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

interface Row {
  readonly what: string;
  readonly path: string;
  readonly vendor: Vendor;
  readonly ask: { readonly model: string } & Readonly<Record<string, unknown>>;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly edits: readonly string[];
}

const messages = [{ role: "user", content: "hi" }];

test.each<Row>([
  {
    what: "a vendor of chat that its client named itself, and that takes less",
    path: PATHS.chat,
    vendor: "openai",
    ask: { model: "openai:o3", messages, veriroute: { profile: "odd" } },
    sent: { model: "o3", messages, stream: false, seed: 7 },
    edits: ["lossy:top_k", "lossy:frequency_penalty", "veriroute_block", "param:seed"],
  },
  {
    what: "embeddings, which are not reasoned about",
    path: "/v1/embeddings",
    vendor: "plain",
    ask: { model: "plain:m", input: "hi" },
    sent: { model: "m", input: "hi" },
    edits: ["lossy:effort", "lossy:seed", "lossy:n", "lossy:top_k"],
  },
  {
    what: "legacy completions",
    path: "/v1/completions",
    vendor: "plain",
    ask: { model: "plain:m", prompt: "hi" },
    sent: { model: "m", prompt: "hi", stream: false, seed: 7, n: 2, top_k: 40 },
    edits: ["param:seed", "param:n", "param:top_k", "lossy:effort"],
  },
  {
    what: "Messages in its own words",
    path: PATHS.messages,
    vendor: "anthropic",
    ask: { model: "anthropic:claude-sonnet-4-6", max_tokens: 9, messages },
    sent: {
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages,
      stream: false,
      output_config: { effort: "low" },
      top_k: 40,
    },
    edits: ["param:output_config", "param:top_k", "lossy:seed", "lossy:n"],
  },
  {
    what: "Responses in its own words",
    path: PATHS.responses,
    vendor: "openai",
    ask: { model: "openai:gpt", input: "hi", reasoning: { summary: "auto" } },
    sent: {
      model: "gpt",
      input: "hi",
      stream: false,
      reasoning: { summary: "auto", effort: "low" },
      top_k: 40,
    },
    edits: ["param:reasoning", "param:top_k", "lossy:seed", "lossy:n"],
  },
  {
    what: "Messages for a chat client",
    path: PATHS.chat,
    vendor: "anthropic",
    ask: {
      model: "anthropic:claude-sonnet-4-6",
      messages,
      max_tokens: 9,
      reasoning_effort: "none",
    },
    sent: {
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages,
      stream: false,
      thinking: { type: "disabled" },
      top_k: 40,
    },
    edits: ["param:top_k", "lossy:seed", "lossy:n"],
  },
])(
  "parameters of a profile go only where they are known: $what",
  async ({ path, vendor, ask, sent, edits }) => {
    rig.scripts[vendor] = answers("{}");
    const before = rig.bodies(vendor).length;

    const response = await rig.router.post(path, ask);
    await response.text();

    expect(rig.bodies(vendor)[before]).toEqual(sent);
    expect((await rig.decision(response))["edits"]).toEqual([...edits]);
  },
);

test("who names a target is refused for what it asks of it itself, in the body or in the spec", async () => {
  rig.scripts.openai = answers("{}");
  const before = rig.bodies("openai").length;

  const answered = await Promise.all([
    rig.router.post(PATHS.chat, { model: "openai:o3", messages, frequency_penalty: 1 }),
    rig.router.post(PATHS.chat, { model: "openai:o3?frequency_penalty=1", messages }),
  ]);

  expect(answered.map(({ status }) => status)).toEqual([400, 400]);
  expect(rig.bodies("openai")).toHaveLength(before);
});
