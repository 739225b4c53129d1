import { describe, expect, test } from "bun:test";

import { configOf, problemsOf, warningsOf } from "./load.ts";

const BOX = '[providers.Box]\ntype = "vllm"\n';

describe("the forms a pool can be written in", () => {
  test.each<{ text: string; targets: string[] }>([
    { text: '[pools.main]\ntargets = ["Box:m"]', targets: ["Box:m"] },
    { text: '[pools]\nmain = ["Box:m", "Box:m?order=1"]', targets: ["Box:m", "Box:m?order=1"] },
    { text: '[pools]\nmain = "Box:m"', targets: ["Box:m"] },
    { text: 'pools.main.targets = ["Box:m"]', targets: ["Box:m"] },
  ])("$text", ({ text, targets }) => {
    expect(configOf(`${text}\n${BOX}`).pools["main"]).toEqual({
      affinity: "session",
      targets,
    });
  });

  test.each(["main = []", 'main = ""', "main = { targets = [] }"])(
    "a pool without members, %s, is an error: nothing of a file is skipped",
    (written) => {
      expect(problemsOf(`[pools]\n${written}\nother = "Box:m"\n${BOX}`)).toEqual([
        expect.stringMatching(
          /^veriroute\.toml:2:\d+: pools\.main\.targets: is empty; add an entry, or remove the section$/,
        ),
      ]);
    },
  );
});

describe("a member", () => {
  test.each([
    "Box:m",
    "box:m",
    "BOX:qwen/q3?temperature=0.2",
    "vllm:m#box",
    "box",
    "ollama:llama3.3:70b",
    "sim:echo",
  ])("%s is known", (member) => {
    expect(problemsOf(`${BOX}[pools]\nmain = ["${member}"]`)).toEqual([]);
  });

  test.each([
    {
      member: "bxo:m",
      says: "`bxo` is neither an instance nor a provider type; did you mean `box`?",
    },
    {
      member: "qqqq:m",
      says: "`qqqq` is neither an instance nor a provider type; add `[providers.qqqq]` with its `base_url`",
    },
    { member: "vllm:m#bax", says: "there is no instance `bax`; did you mean `box`?" },
    {
      member: "openai-compatible:m",
      says: '`openai-compatible` is a type without an address of its own; name the instance instead, defined with `type = "openai-compatible"` and a `base_url`',
    },
    { member: "box:", says: "nothing follows the `:`; name a model, or leave the `:` out" },
    { member: "pool:main", says: "`pool` is not a provider: a target is written `provider:model`" },
  ])("$member is refused", ({ member, says }) => {
    expect(problemsOf(`${BOX}[pools.main]\ntargets = ["${member}"]`)).toEqual([
      `veriroute.toml:4:12: pools.main.targets.0: ${says}`,
    ]);
  });

  test("that only needs a credential from the environment is a warning", () => {
    const text = '[pools]\nmain = [\n  "openai:m",\n]';

    expect(warningsOf(text)).toEqual([
      "veriroute.toml:3:3: pools.main.targets.0: `openai` has no credential; set it, or the environment variable `OPENAI_API_KEY`",
    ]);
    expect(warningsOf(text, { env: { OPENAI_API_KEY: "k" } })).toEqual([]);
  });

  test("of a type nobody configured is a warning where instances are not made by themselves", () => {
    const text = '[pools]\nmain = ["ollama:m", "sim:echo"]\n[routing]\nautoprovision = false';

    expect(warningsOf(text)).toEqual([
      "veriroute.toml:2:9: pools.main.targets.0: `ollama` has no section and `routing.autoprovision` is off; add `[providers.ollama]`",
    ]);
  });
});

describe("what names a pool", () => {
  const pools = `${BOX}[pools]\nmain = "box:m"\n`;

  test.each([
    {
      line: 'routing.default_pool = "mian"',
      says: "there is no pool `mian`; did you mean `main`?",
    },
    { line: 'routing.default_pool = "zzz"', says: "there is no pool `zzz`; pools: `main`" },
    {
      line: 'routing.default_pool = "constructor"',
      says: "there is no pool `constructor`; pools: `main`",
    },
    { line: 'aliases.fast = "pool:mian"', says: "there is no pool `mian`; did you mean `main`?" },
    {
      line: 'aliases.fast = "veriroute/pool:mian"',
      says: "there is no pool `mian`; did you mean `main`?",
    },
    { line: 'aliases.fast = "lane:deep"', says: "there is no lane `deep`" },
    {
      line: 'aliases.fast = "vllm:m#bax"',
      says: "there is no instance `bax`; did you mean `box`?",
    },
    {
      line: 'aliases.fast = "box:"',
      says: "nothing follows the `:`; name a model, or leave the `:` out",
    },
    {
      line: 'aliases."a*b" = "box:m"',
      says: '`*` may only stand at the end of an alias; as in `"claude-*"`',
    },
    { line: 'aliases." " = "box:m"', says: "an alias needs a name" },
  ])("$line", ({ line, says }) => {
    const [problem = "", ...others] = problemsOf(`${line}\n${pools}`);

    expect(others).toEqual([]);
    expect(problem.slice(problem.indexOf(": ", 20) + 2)).toEndWith(says);
  });

  test("aliases in a circle are found at each of them", () => {
    expect(problemsOf('[aliases]\na = "b"\nb = "a"')).toEqual([
      "veriroute.toml:2:1: aliases.a: aliases run in a circle: `a` → `b` → `a`",
      "veriroute.toml:3:1: aliases.b: aliases run in a circle: `b` → `a` → `b`",
    ]);
  });

  test("an alias may stand for a pool, a spec, a bare name, another alias or auto", () => {
    const aliases = {
      fast: "pool:main",
      direct: "box:m?temperature=0.2",
      bare: "llama3.3:70b",
      "claude-*": "fast",
      any: "auto",
    };
    const lines = Object.entries(aliases).map(([name, meaning]) => `"${name}" = "${meaning}"`);

    expect(configOf(`${pools}[aliases]\n${lines.join("\n")}`).aliases).toEqual(aliases);
  });
});

test("a pool that is not there is not found among what objects inherit", () => {
  const { pools, providers, aliases } = configOf("");

  expect([pools["constructor"], providers["toString"], aliases["valueOf"]]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
