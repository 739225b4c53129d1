import { expect, test } from "bun:test";

import { listModels } from "../../../src/routing/models-list.ts";
import { knownModels, type RoutingWorld } from "../../../src/routing/world.ts";
import { anInstance, aWorld, outline, planFor } from "./a-world.ts";

const WORLD = aWorld({
  instances: [
    anInstance("openai", { models: ["gpt-5.4"], default_model: "gpt-5.4" }),
    anInstance("Wild", {
      type: "openai-compatible",
      models: ["a", "b/c", "gpt-5.4", "odd#1?x%", "my model"],
    }),
    anInstance("unlisted", { type: "anthropic", default_model: "claude-sonnet-5-5" }),
    anInstance("broken", {
      type: "groq",
      models: ["llama"],
      problem: { code: "missing_credential", message: "set it" },
    }),
    anInstance("ollama", { source: "local", models: ["mistral:7b", "openai:x", "auto"] }),
  ],
  pools: { main: ["sim:echo"], other: ["sim:echo"] },
  aliases: { "claude-haiku-*": "pool:main", cheap: "pool:main", a: "pool:other" },
  default_pool: "main",
});

test("aliases come first, then auto, pools, targets and the bare names", () => {
  expect(listModels(WORLD).map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    "alias cheap",
    "alias a",
    "auto auto",
    "pool pool:main",
    "pool pool:other",
    "target openai:gpt-5.4",
    "target Wild:a",
    "target Wild:b/c",
    "target Wild:gpt-5.4",
    "target Wild:odd%231%3Fx%25",
    "target unlisted:claude-sonnet-5-5",
    "target ollama:mistral:7b",
    "target ollama:openai:x",
    "target ollama:auto",
    "model gpt-5.4",
    "model b/c",
    "model odd#1?x%",
    "model my model",
    "model mistral:7b",
  ]);
});

test.each(listModels(WORLD))("$id is accepted as it is listed", ({ id, instance }) => {
  const plan = planFor(id, WORLD);

  expect(plan.kind).toBe("route");
  if (plan.kind === "refuse" || instance === null) return;
  expect(plan.candidates.map(({ member }) => member.instance)).toEqual([instance]);
});

test("what is listed reaches the upstream under the upstream's own id", () => {
  const sent = ["Wild:odd%231%3Fx%25", "odd#1?x%", "b/c"].map((id) => outline(planFor(id, WORLD)));

  expect(sent).toEqual([["Wild:odd#1?x%"], ["Wild:odd#1?x%"], ["Wild:b/c"]]);
});

test.each<{ what: string; world: RoutingWorld; ids: string[] }>([
  {
    what: "only while nothing else is there",
    world: aWorld(),
    ids: ["auto", "sim:echo", "sim:empty", "echo", "empty"],
  },
  {
    what: "not beside a real instance, even one that cannot serve",
    world: aWorld({
      instances: [
        anInstance("groq", { problem: { code: "missing_credential", message: "set it" } }),
      ],
    }),
    ids: ["auto"],
  },
])("the simulator is listed $what", ({ world, ids }) => {
  expect(listModels(world).map(({ id }) => id)).toEqual(ids);
});

test.each<{ configured: string[] | null; listed: string[] | null; known: object }>([
  { configured: ["a"], listed: ["b"], known: { from: "config", names: ["a"] } },
  { configured: ["*"], listed: ["a", "b/c"], known: { from: "listing", names: ["a", "b/c"] } },
  { configured: ["*"], listed: null, known: { from: "unknown", names: [] } },
  { configured: null, listed: [], known: { from: "listing", names: [] } },
  { configured: null, listed: null, known: { from: "unknown", names: [] } },
  { configured: [], listed: ["a"], known: { from: "config", names: [] } },
])("models $configured in the config and $listed upstream are $known.names", (row) => {
  expect(knownModels(row.configured, row.listed)).toEqual(expect.objectContaining(row.known));
});
