import { describe, expect, test } from "bun:test";

import type { Env } from "../../../src/config/paths.ts";
import { configOf, problemsOf, warningsOf } from "./load.ts";

interface Case {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly string[];
}

const VLLM = 'type = "vllm"\n';

test.each<Case>([
  {
    name: "a section named like no type needs a type",
    text: "[providers.mybox]\n",
    problems: [
      'veriroute.toml:1:12: providers.mybox: `mybox` is no provider type, so it needs a `type`; add `type = "openai-compatible"`',
    ],
  },
  {
    name: "a mistyped type as a section's name is guessed",
    text: "[providers.opnai]\n",
    problems: [
      'veriroute.toml:1:12: providers.opnai: `opnai` is no provider type, so it needs a `type`; add `type = "openai-compatible"`, or did you mean `[providers.openai]`?',
    ],
  },
  {
    name: "an unknown type names the nearest one",
    text: '[providers.box]\ntype = "vlm"',
    problems: [
      "veriroute.toml:2:1: providers.box.type: `vlm` is no provider type; did you mean `vllm`?",
    ],
  },
  {
    name: "an instance cannot be named like a type it is not",
    text: '[providers.OpenAI]\ntype = "anthropic"',
    problems: [
      "veriroute.toml:2:1: providers.OpenAI.type: an instance of type `anthropic` cannot be named like the type `openai`; rename the instance, or leave out `type`",
    ],
  },
  {
    name: "a type without an address needs one",
    text: '[providers.box]\ntype = "openai-compatible"',
    problems: [
      'veriroute.toml:1:12: providers.box.base_url: an instance of type `openai-compatible` needs a `base_url`; add it, as in `base_url = "http://127.0.0.1:8000/v1"`',
    ],
  },
  {
    name: "names that differ only by case",
    text: `[providers.Box]\n${VLLM}[providers.bOX]\n${VLLM}`,
    problems: [
      "veriroute.toml:3:12: providers.bOX: differs from `Box` only by upper and lower case; rename one of the two",
    ],
  },
  {
    name: "a name that no model string can spell",
    text: `[providers."my box"]\n${VLLM}prot = 1`,
    problems: [
      'veriroute.toml:1:12: providers."my box": `my box` cannot be a name here; use letters, digits, `-`, `_` and `.`, at most 64',
    ],
  },
  {
    name: "an empty key",
    text: '[providers.openai]\napi_key = ""',
    problems: [
      "veriroute.toml:2:1: providers.openai.api_key: is empty; give it a value or remove it",
    ],
  },
  {
    name: "a key with a blank in it",
    text: '[providers.openai]\napi_key = "a b"',
    problems: [
      "veriroute.toml:2:1: providers.openai.api_key: holds a blank, a line break or a character that no header can carry; a key is printable ASCII without blanks",
    ],
  },
  {
    name: "headers that cannot be sent, or are the router's own",
    text: '[providers.openai.headers]\n"x y" = "1"\nHost = "a"\nx-a = "\\u2028"\nx-b = ""\nx-c = "fine é"',
    problems: [
      'veriroute.toml:2:1: providers.openai.headers."x y": `x y` is no header name',
      "veriroute.toml:3:1: providers.openai.headers.Host: is set by the router itself; remove it",
      "veriroute.toml:4:1: providers.openai.headers.x-a: holds a character that no header can carry",
      "veriroute.toml:5:1: providers.openai.headers.x-b: is empty; give it a value or remove it",
    ],
  },
])("$name", ({ text, problems }) => {
  expect(problemsOf(text)).toEqual([...problems]);
});

test.each(["lane", "pool", "profile", "auto", "Pool"])("no instance can be called %s", (name) => {
  expect(problemsOf(`[providers.${name}]\n${VLLM}`)).toEqual([
    `veriroute.toml:1:12: providers.${name}: \`${name}\` has a meaning of its own in model names; choose another name`,
  ]);
});

test("a section named like its type needs nothing else, whatever its case", () => {
  const config = configOf('[providers.Groq]\napi_key = "k"\n[providers.ollama]\n');

  expect(Object.keys(config.providers)).toEqual(["Groq", "ollama"]);
});

describe("a credential that only the environment can give is a warning", () => {
  const missing =
    "veriroute.toml:1:12: providers.openai.api_key: no credential; set it, or the environment variable `OPENAI_API_KEY`";

  test.each<{ name: string; text: string; env: Env; warnings: string[] }>([
    { name: "nothing anywhere", text: "[providers.openai]", env: {}, warnings: [missing] },
    {
      name: "an empty variable",
      text: "[providers.openai]",
      env: { OPENAI_API_KEY: "" },
      warnings: [missing],
    },
    {
      name: "the type's variable",
      text: "[providers.openai]",
      env: { OPENAI_API_KEY: "k" },
      warnings: [],
    },
    { name: "a key", text: '[providers.openai]\napi_key = "k"', env: {}, warnings: [] },
    {
      name: "a header",
      text: '[providers.openai]\nheaders = { Authorization = "Bearer k" }',
      env: {},
      warnings: [],
    },
    { name: "a local server", text: "[providers.vllm]", env: {}, warnings: [] },
    {
      name: "a server of unknown kind",
      text: '[providers.x]\ntype = "openai-compatible"\nbase_url = "http://h/v1"',
      env: {},
      warnings: [],
    },
  ])("with $name", ({ text, env, warnings }) => {
    expect(problemsOf(text, { env })).toEqual([]);
    expect(warningsOf(text, { env })).toEqual(warnings);
  });
});
