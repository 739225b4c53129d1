import { expect, test } from "bun:test";

import { anInstance, aWorld, outline, planFor, SIM } from "./a-world.ts";

const LOCAL = anInstance("ollama", {
  source: "local",
  models: ["llama3.3:70b", "qwen3:latest", "mistral:7b", "mistral:latest"],
});
const OPENAI = anInstance("openai", { models: ["gpt-5.4", "o3"], default_model: "gpt-5.4" });
const ROUTER = anInstance("openrouter", {
  models: ["nvidia/nemotron:free", "gpt-5.4"],
  source: "environment",
});
const BOX = anInstance("My-Box", { type: "vllm", models: ["Qwen/Qwen3-30B"] });
const KEYLESS = anInstance("groq", {
  models: ["llama-3"],
  problem: { code: "missing_credential", message: "set `GROQ_API_KEY`" },
});
const FULL = aWorld({ instances: [OPENAI, BOX, KEYLESS, ROUTER, LOCAL] });

test.each<{ model: unknown; goes: string[] }>([
  // Written with an instance: sent as written, listed or not.
  { model: "openai:gpt-5.4", goes: ["openai:gpt-5.4"] },
  { model: "OpenAI:gpt-9-unlisted", goes: ["openai:gpt-9-unlisted"] },
  { model: "my-box:Qwen/Qwen3-30B", goes: ["My-Box:Qwen/Qwen3-30B"] },
  { model: "vllm:Qwen/Qwen3-30B#my-box", goes: ["My-Box:Qwen/Qwen3-30B"] },
  { model: "vllm:Qwen/Qwen3-30B", goes: ["My-Box:Qwen/Qwen3-30B"] },
  { model: "my-box:m#my-box", goes: ["My-Box:m"] },
  { model: "openai", goes: ["openai:gpt-5.4"] },
  { model: "veriroute/openai:o3", goes: ["openai:o3"] },
  { model: "veriroute/veriroute/o3", goes: ["refused: model_not_found"] },
  { model: "sim:echo", goes: ["sim:echo"] },
  { model: "sim:empty?rate=0.35", goes: ["sim:empty"] },
  // A local server serves what it lists; Ollama answers to a name without `:latest`.
  { model: "ollama:qwen3", goes: ["ollama:qwen3"] },
  { model: "ollama:secret", goes: ["refused: model_not_found"] },
  // Bare names, in lookup order.
  { model: "gpt-5.4", goes: ["openai:gpt-5.4"] },
  { model: "nvidia/nemotron:free", goes: ["openrouter:nvidia/nemotron:free"] },
  { model: "llama3.3:70b", goes: ["ollama:llama3.3:70b"] },
  { model: "qwen3", goes: ["ollama:qwen3"] },
  { model: "gpt-5.5-not-listed-yet", goes: ["openai:gpt-5.5-not-listed-yet"] },
  { model: "llama-3", goes: ["groq:llama-3 missing_credential"] },
  // Named like a provider type that has no instance, but listed.
  { model: "mistral", goes: ["ollama:mistral"] },
  { model: "mistral:7b", goes: ["ollama:mistral:7b"] },
  { model: "mistral:large", goes: ["mistral:large missing_credential"] },
  { model: "anthropic:claude-opus-5-5", goes: ["anthropic:claude-opus-5-5 missing_credential"] },
  // No such thing.
  { model: "does-not-exist", goes: ["refused: model_not_found"] },
  { model: "claude-opus-5-5", goes: ["refused: model_not_found"] },
  { model: "echo", goes: ["refused: model_not_found"] },
  { model: "openai:gpt#nowhere", goes: ["refused: model_not_found"] },
  { model: "openai:gpt#my-box", goes: ["refused: model_not_found"] },
  { model: "my-box", goes: ["refused: model_not_found"] },
  { model: "pool:main", goes: ["refused: model_not_found"] },
  { model: "pool:", goes: ["refused: model_not_found"] },
  { model: "lane:deep", goes: ["refused: model_not_found"] },
  { model: "profile:frugal", goes: ["refused: model_not_found"] },
  // Unreadable.
  { model: "openai:", goes: ["refused: invalid_request"] },
  { model: "openai:gpt 5", goes: ["refused: invalid_request"] },
  { model: 7, goes: ["refused: invalid_request"] },
  { model: ["gpt-5.4"], goes: ["refused: invalid_request"] },
])("the model $model goes to $goes", ({ model, goes }) => {
  expect(outline(planFor(model, FULL))).toEqual(goes);
});

test("the plan of a spec is one candidate with the parameters that go upstream", () => {
  const world = aWorld({ instances: [OPENAI] });

  expect(planFor("openai:o3?weight=3&order=1&effort=high", world)).toEqual({
    kind: "route",
    asked: "openai:o3?weight=3&order=1&effort=high",
    pool: null,
    lane: null,
    profile: null,
    strategy: null,
    candidates: [
      {
        target: "openai:o3",
        eligible: true,
        reasons: [],
        score: null,
        member: { instance: "openai", model: "o3", params: { effort: "high" } },
        id: "openai:o3?effort=high",
        window_tokens: null,
      },
    ],
    notes: [],
    scrutiny: { verify: "rescue", hold_back: false },
    effects: { takes_turn: false, session: null },
    untranslatable: [],
  });
});

test.each<{ model: string; says: string; param?: string }>([
  {
    model: "gpt5.4",
    says: "there is no model `gpt5.4`; nearest: `gpt-5.4`; the models of `vague` are not known: write `instance:model`",
  },
  {
    model: "claude-opus-5-5",
    says: "there is no model `claude-opus-5-5`; the models of `vague` are not known: write `instance:model`; names like it belong to `anthropic`: set ANTHROPIC_API_KEY",
  },
  { model: "pool:mian", says: "there is no pool `mian`; known: `main`, `zzz`" },
  { model: "lane:deep", says: "there is no lane `deep`; none is configured" },
  {
    model: "openai:m#nowhere",
    says: "there is no instance `nowhere`; instances: `openai`, `vague`, `sim`",
  },
  {
    model: "groq:m#openai",
    says: "instance `openai` is of type `openai`, not `groq`; write `openai:` and the model",
  },
  {
    model: "vague",
    says: "`vague` has no default model: write `vague:` and a model, or set `default_model` in `[providers.vague]`",
  },
  {
    model: "openai:",
    says: "cannot read `model`: nothing follows the `:`; name a model, or leave the `:` out",
  },
])("$model is refused in words that help", ({ model, says }) => {
  const world = aWorld({
    instances: [
      OPENAI,
      anInstance("vague", {
        type: "openai-compatible",
        problem: { code: "missing_base_url", message: "set base_url" },
      }),
    ],
    pools: { zzz: ["sim:echo"], main: ["sim:echo"] },
  });

  expect(planFor(model, world)).toMatchObject({ kind: "refuse", message: says, param: "model" });
});

test("a name unlike any that is known is refused with where they stand", () => {
  expect(planFor("zzzzzz", aWorld({ instances: [OPENAI] }))).toMatchObject({
    kind: "refuse",
    message: "there is no model `zzzzzz`; `GET /v1/models` lists what there is",
  });
});

test("a provider type without an instance is a candidate that says what would make one", () => {
  const plan = planFor("anthropic:claude-opus-5-5", aWorld({ instances: [OPENAI, KEYLESS] }));

  expect(plan.kind === "route" && plan.candidates[0]?.reasons).toEqual([
    {
      layer: 4,
      code: "missing_credential",
      detail: "set ANTHROPIC_API_KEY; reachable now: `openai`, `sim`",
      until_at: null,
    },
  ]);
});

test("a name that a usable instance lists is not sent to one without a credential", () => {
  const world = aWorld({
    instances: [KEYLESS, anInstance("together", { models: ["llama-3"] })],
  });

  expect(outline(planFor("llama-3", world))).toEqual(["together:llama-3"]);
});

test("a type with several instances means the first that is set up", () => {
  const world = aWorld({
    instances: [
      anInstance("first", { type: "groq", problem: KEYLESS.problem }),
      anInstance("second", { type: "groq" }),
      anInstance("third", { type: "groq" }),
    ],
  });

  expect(outline(planFor("groq:m", world))).toEqual(["second:m"]);
});

test.each<{ what: string; models?: string[]; goes: string[] }>([
  { what: "an unknown list", goes: ["box:anything"] },
  { what: "a known list", models: ["a"], goes: ["refused: model_not_found"] },
  { what: "an empty list", models: [], goes: ["refused: model_not_found"] },
])("the only instance gets any name if it has $what: $goes", ({ models, goes }) => {
  const box = anInstance("box", { type: "vllm", ...(models === undefined ? {} : { models }) });

  expect(outline(planFor("anything", aWorld({ instances: [box] })))).toEqual(goes);
});

test("a vendor with a configured list is not sent a name that the list leaves out", () => {
  const openai = { ...OPENAI, models: { from: "config" as const, names: ["gpt-5.4"] } };

  expect(outline(planFor("gpt-5.4-mimi", aWorld({ instances: [openai] })))).toEqual([
    "refused: model_not_found",
  ]);
});

test("the simulator's models have bare names only where there is nothing else", () => {
  expect(outline(planFor("echo", aWorld()))).toEqual(["sim:echo"]);
  expect(outline(planFor("echo", aWorld({ instances: [OPENAI] })))).toEqual([
    "refused: model_not_found",
  ]);
});

test.each<{ what: string; world: Parameters<typeof aWorld>[0]; goes: string[] }>([
  {
    what: "the default pool",
    world: {
      instances: [OPENAI],
      pools: { a: ["sim:echo"], b: ["sim:empty"] },
      default_pool: "b",
    },
    goes: ["sim:empty"],
  },
  {
    what: "the only pool",
    world: { instances: [OPENAI], pools: { a: ["sim:story"] } },
    goes: ["sim:story"],
  },
  {
    what: "the first usable instance with a default model",
    world: {
      instances: [
        anInstance("nothing", { type: "vllm" }),
        { ...KEYLESS, default_model: "llama-3" },
        OPENAI,
      ],
      pools: { a: ["sim:story"], b: ["sim:story"] },
    },
    goes: ["openai:gpt-5.4"],
  },
  { what: "the simulator, alone", world: {}, goes: ["sim:echo"] },
  {
    what: "nothing, where an instance has no default model",
    world: { instances: [ROUTER] },
    goes: ["refused: no_target_available"],
  },
  {
    what: "nothing, where the default pool is gone",
    world: { default_pool: "gone" },
    goes: ["refused: no_target_available"],
  },
])("auto is $what", ({ world, goes }) => {
  for (const model of ["auto", "", "default", "veriroute/auto", undefined, null]) {
    expect(outline(planFor(model, aWorld(world)))).toEqual(goes);
  }
});

test("auto that stands for nothing says what to configure", () => {
  const plan = planFor(
    "auto",
    aWorld({ instances: [ROUTER], pools: { a: ["sim:x"], b: ["sim:x"] } }),
  );

  expect(plan).toMatchObject({
    kind: "refuse",
    message: expect.stringContaining("set `routing.default_pool`"),
  });
});

test.each<{ block: object; goes: string[]; param?: string }>([
  { block: { target: "openai:o3" }, goes: ["openai:o3"] },
  { block: { target: "o3" }, goes: ["openai:o3"] },
  { block: { pool: "main" }, goes: ["sim:echo"] },
  { block: { target: "openai:o3", pool: "main", lane: "x" }, goes: ["openai:o3"] },
  { block: { pool: "main", lane: "x" }, goes: ["sim:echo"] },
  { block: { session: "s", effort: "low" }, goes: ["openrouter:gpt-5.4"] },
  { block: { pool: "x" }, goes: ["refused: model_not_found"], param: "veriroute.pool" },
  { block: { lane: "x" }, goes: ["refused: model_not_found"], param: "veriroute.lane" },
  {
    block: { profile: "x", pool: "main" },
    goes: ["refused: model_not_found"],
    param: "veriroute.profile",
  },
  { block: { target: "nope" }, goes: ["refused: model_not_found"], param: "veriroute.target" },
  {
    block: { target: "openai:m#x" },
    goes: ["refused: model_not_found"],
    param: "veriroute.target",
  },
  { block: { target: "pool:main" }, goes: ["refused: invalid_request"], param: "veriroute.target" },
  { block: { target: "openai:" }, goes: ["refused: invalid_request"], param: "veriroute.target" },
])(
  "a veriroute block beats the model string and leads to $goes (case %#)",
  ({ block, goes, param }) => {
    const world = aWorld({ instances: [OPENAI, ROUTER], pools: { main: ["sim:echo"] } });
    const plan = planFor("openrouter:gpt-5.4", world, { block });

    expect(outline(plan)).toEqual(goes);
    expect(plan.kind === "refuse" ? plan.param : undefined).toBe(param);
  },
);

test("keys of the block that had no say are noted", () => {
  const world = aWorld({ pools: { main: ["sim:echo"] } });
  const plan = planFor("auto", world, {
    block: { target: "sim:echo", pool: "main" },
  });

  expect(plan.kind === "route" && plan.notes).toEqual([
    "`veriroute.pool` is ignored: `veriroute.target` comes first",
  ]);
});

test.each<{ model: string; goes: string[]; notes?: string[] }>([
  { model: "cheap", goes: ["sim:echo"], notes: ["alias `cheap` leads to `pool:main`"] },
  { model: "veriroute/cheap", goes: ["sim:echo"] },
  { model: "claude-haiku-9", goes: ["openai:o3"] },
  { model: "whatever", goes: ["sim:story"] },
  { model: "gpt-5.4", goes: ["sim:story"] },
  { model: "openai:gpt-5.4", goes: ["openai:gpt-5.4"] },
  { model: "pool:main", goes: ["sim:echo"] },
  { model: "auto", goes: ["sim:echo"] },
  { model: "ring", goes: ["refused: model_not_found"] },
  { model: "broken", goes: ["refused: model_not_found"] },
])("with aliases, $model goes to $goes", ({ model, goes, notes }) => {
  const world = aWorld({
    instances: [OPENAI],
    pools: { main: ["sim:echo"] },
    aliases: {
      cheap: "pool:main",
      "claude-haiku-*": "openai:o3",
      "*": "sim:story",
      ring: "gnir",
      gnir: "ring",
      broken: "pool:nowhere",
    },
  });
  const plan = planFor(model, world);

  expect(outline(plan)).toEqual(goes);
  if (notes !== undefined) expect(plan.kind === "route" && plan.notes).toEqual(notes);
});

test.each<{ dialect: "completions" | "embeddings"; model: string; goes: string[] }>([
  { dialect: "completions", model: "openai:m", goes: ["openai:m"] },
  { dialect: "completions", model: "anthropic:m", goes: ["anthropic:m dialect_unsupported"] },
  { dialect: "embeddings", model: "anthropic:m", goes: ["anthropic:m dialect_unsupported"] },
  { dialect: "embeddings", model: "shared", goes: ["openai:shared"] },
])("$dialect of $model go to $goes", ({ dialect, model, goes }) => {
  const world = aWorld({
    instances: [
      anInstance("anthropic", { models: ["shared"] }),
      anInstance("openai", { models: ["shared"] }),
    ],
  });

  expect(outline(planFor(model, world, { dialect }))).toEqual(goes);
});

test("the string that was asked is kept to 256 characters", () => {
  const plan = planFor("x".repeat(1000), aWorld({ instances: [OPENAI] }));

  expect(plan.asked).toBe("x".repeat(256));
});

test("a configured simulator is an instance like any other", () => {
  const fast = anInstance("fast", { type: "sim", default_model: "story" });

  expect(outline(planFor("auto", { ...aWorld(), instances: [fast, SIM] }))).toEqual(["fast:story"]);
});
