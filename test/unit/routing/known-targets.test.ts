import { expect, test } from "bun:test";

import { createAllowlist } from "../../../src/routing/allowlist.ts";
import { knownTargets } from "../../../src/routing/known-targets.ts";
import { anInstance, aWorld } from "./a-world.ts";

const cooling = { layer: 6, code: "cooldown", detail: null, until_at: 9 };
const excluded = { layer: 2, code: "operator_exclusion", detail: null, until_at: null };

const outline = (...[world, tried]: Parameters<typeof knownTargets>) =>
  knownTargets(world, tried).map(({ key, reasons }) =>
    [key, ...reasons.map(({ code }) => code)].join(" "),
  );

const A = anInstance("a", { type: "openai", models: ["m", "n"] });
const KEYLESS = anInstance("keyless", {
  type: "groq",
  models: ["m"],
  problem: { code: "missing_credential", message: "set `GROQ_API_KEY`" },
});
const LOCAL = anInstance("ollama", { source: "local", models: ["q"] });

test("what is listed, what pools name and what was tried are known, each once, in this order", () => {
  const world = aWorld({
    instances: [A, LOCAL],
    pools: {
      main: ["a:m", "a:unlisted", "A:n?order=1"],
      other: ["a:unlisted", "anthropic:claude"],
    },
  });
  const tried = [
    { instance: "a", model: "n" },
    { instance: "a", model: "asked:for" },
    { instance: "gone", model: "x" },
    { instance: "ollama", model: "secret" },
  ];

  expect(outline(world, tried)).toEqual([
    "a:m",
    "a:n",
    "ollama:q",
    "sim:echo",
    "sim:empty",
    "a:unlisted",
    "anthropic:claude missing_credential",
    "a:asked:for",
    "gone:x unknown_instance",
    "ollama:secret model_not_listed",
  ]);
});

test("allowlist, missing credentials and health are all listed, the firmest first", () => {
  const world = aWorld({
    instances: [A, KEYLESS],
    allowlist: createAllowlist(["a:n"]),
    eligibility: ({ model }) => (model === "m" ? [cooling, excluded] : []),
  });

  expect(outline(world, [])).toEqual([
    "a:m not_allowed operator_exclusion cooldown",
    "a:n",
    "keyless:m not_allowed operator_exclusion missing_credential cooldown",
    "sim:echo",
    "sim:empty",
  ]);
});

test("they are asked about as somebody would be who has other targets to turn to", () => {
  const calls: object[] = [];
  const eligibility = (_: object, call: object) => {
    calls.push(call);
    return [];
  };

  knownTargets(aWorld({ instances: [KEYLESS], eligibility }), []);

  expect(new Set(calls.map((call) => JSON.stringify(call)))).toEqual(
    new Set(['{"pinned":false,"stream":false}']),
  );
});
