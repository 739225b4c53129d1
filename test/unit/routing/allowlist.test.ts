import { expect, test } from "bun:test";

import { createAllowlist, parseAllowEntry } from "../../../src/routing/allowlist.ts";
import { listModels } from "../../../src/routing/models-list.ts";
import { anInstance, aWorld, outline, routeFor } from "./a-world.ts";

const INSTANCES = [
  anInstance("Mine", { type: "openai", models: ["gpt-5.4", "o3"], default_model: "o3" }),
  anInstance("other", { type: "openai", models: ["gpt-5.4"], default_model: "gpt-5.4" }),
  anInstance("openrouter", { models: ["z-ai/glm-5.3", "nvidia/nemotron:free"] }),
];

const world = (...entries: string[]) =>
  aWorld({
    instances: INSTANCES,
    pools: { main: ["mine:o3", "other:gpt-5.4", "openrouter:z-ai/glm-5.3", "sim:echo"] },
    allowlist: createAllowlist(entries),
  });

test.each<{ entries: string[]; allowed: string[] }>([
  { entries: [], allowed: ["sim:echo"] },
  { entries: ["mine:o3"], allowed: ["Mine:o3", "sim:echo"] },
  { entries: ["MINE:o3"], allowed: ["Mine:o3", "sim:echo"] },
  { entries: ["mine:O3"], allowed: ["sim:echo"] },
  { entries: ["openai:*"], allowed: ["Mine:o3", "other:gpt-5.4", "sim:echo"] },
  { entries: ["openai:o3#other"], allowed: ["sim:echo"] },
  { entries: ["openai:gpt-5.4#other"], allowed: ["other:gpt-5.4", "sim:echo"] },
  { entries: ["openrouter:z-ai/*"], allowed: ["openrouter:z-ai/glm-5.3", "sim:echo"] },
  { entries: ["openrouter:nvidia/*", "other:*"], allowed: ["other:gpt-5.4", "sim:echo"] },
])("with $entries only $allowed may serve", ({ entries, allowed }) => {
  const { candidates } = routeFor("pool:main", world(...entries));
  const out = candidates.filter(({ eligible }) => !eligible);

  expect(candidates.filter(({ eligible }) => eligible).map(({ target }) => target)).toEqual(
    allowed,
  );
  for (const { reasons } of out) {
    expect(reasons).toEqual([
      { layer: 0, code: "not_allowed", detail: "it is not on the allowlist", until_at: null },
    ]);
  }
});

test("without a list everything may serve", () => {
  const { candidates } = routeFor("pool:main", { ...world(), allowlist: null });

  expect(candidates.every(({ eligible }) => eligible)).toBe(true);
});

test("a target that is addressed by itself is held to the list too", () => {
  expect(outline(routeFor("mine:gpt-5.4", world("mine:o3")))).toEqual(["Mine:gpt-5.4 not_allowed"]);
});

test.each<{ models: unknown; goes: string; detail?: string }>([
  { models: undefined, goes: "openrouter:a/b" },
  { models: null, goes: "openrouter:a/b" },
  { models: [], goes: "openrouter:a/b" },
  { models: ["a/b", "a/c"], goes: "openrouter:a/b" },
  {
    models: ["a/c", "x/y"],
    goes: "openrouter:a/b not_allowed",
    detail: "`models` has `x/y`, which is not on the allowlist",
  },
  {
    models: "x/y",
    goes: "openrouter:a/b not_allowed",
    detail: "`models` has `x/y`, which is not on the allowlist",
  },
  {
    models: ["a/b", "what the prompt says"],
    goes: "openrouter:a/b not_allowed",
    detail: "`models` holds what is no name, which is not on the allowlist",
  },
  {
    models: [{ id: "a/b" }],
    goes: "openrouter:a/b not_allowed",
    detail: "`models` holds what is no name, which is not on the allowlist",
  },
])("a gateway may not be told to fall back to what the list lacks: $models", (row) => {
  const { models, goes, detail } = row;
  const plan = routeFor("openrouter:a/b", world("openrouter:a/*"), { models });

  expect(outline(plan)).toEqual([goes]);
  expect(plan.candidates[0]?.reasons.map((reason) => reason.detail)).toEqual(
    detail === undefined ? [] : [detail],
  );
});

test("a list of models is nothing to a vendor that does not read it, or where all may serve", () => {
  const models = ["x/y"];

  expect(outline(routeFor("mine:o3", world("mine:o3"), { models }))).toEqual(["Mine:o3"]);
  expect(outline(routeFor("openrouter:a/b", { ...world(), allowlist: null }, { models }))).toEqual([
    "openrouter:a/b",
  ]);
});

test("a bare name, and auto, go to whom the list allows", () => {
  const { pools: _, ...rest } = world("other:*");
  const poolless = { ...rest, pools: new Map() };

  expect(outline(routeFor("gpt-5.4", poolless))).toEqual(["other:gpt-5.4"]);
  expect(outline(routeFor("auto", poolless))).toEqual(["other:gpt-5.4"]);
});

test("only what the list allows is listed", () => {
  const ids = listModels(world("openai:o3", "openrouter:z-ai/*")).map(({ id }) => id);

  expect(ids).toEqual([
    "auto",
    "pool:main",
    "Mine:o3",
    "openrouter:z-ai/glm-5.3",
    "o3",
    "z-ai/glm-5.3",
  ]);
});

test.each<{ text: string; says: string }>([
  { text: "", says: "the spec is empty" },
  { text: "openai", says: "`openai` names no model; write `openai:*` to allow them all" },
  { text: "openai:", says: "nothing follows the `:`" },
  { text: "openai:gpt-*-mini", says: "`*` may only stand at the end" },
  { text: "openai:m?weight=1", says: "leave `weight` out" },
  { text: "pool:main", says: "`pool` is not a provider" },
  { text: "a b:m", says: "there is no provider name" },
])("the entry $text is refused: $says", ({ text, says }) => {
  const entry = parseAllowEntry(text);

  expect(entry.ok ? "accepted" : entry.message).toContain(says);
});
