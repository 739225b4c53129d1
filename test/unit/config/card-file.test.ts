import { expect, test } from "bun:test";
import { join } from "node:path";

import { readCards } from "../../../src/config/card-file.ts";
import { loadConfig } from "../../../src/config/layers.ts";
import { formatProblem } from "../../../src/config/problem.ts";
import type { ReadFile } from "../../../src/config/read-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

const reading =
  (files: Readonly<Record<string, string>>): ReadFile =>
  (path) => {
    const text = files[path];
    return text === undefined
      ? { ok: false, reason: "no such file" }
      : { ok: true, text, mode: 0o600 };
  };

function read(text: string, name = "cards.toml") {
  const { cards, findings, problems } = readCards(name, {
    env: { HOME: "/home/u" },
    directory: "/etc/veriroute",
    instances: ["nim", "Router.LAN"],
    readFile: reading({ [`/etc/veriroute/${name}`]: text }),
  });
  return {
    cards: [...cards],
    findings,
    problems: problems.map((problem) => formatProblem(problem)),
  };
}

const FULL = {
  window_tokens: 131_072,
  max_output_tokens: 8192,
  price: {
    input_usd: 0.5,
    output_usd: 1.5,
    cached_input_usd: 0.05,
    cache_write_usd: 0.6,
    request_usd: 0.001,
    long_prompt: { above_tokens: 100_000, input_usd: 1, output_usd: 3 },
  },
  capabilities: { tools: true, vision: false, json: true, reasoning: false },
  as_of: "2026-11-29",
};

const READ = {
  ...FULL,
  price: {
    ...FULL.price,
    long_prompt: { ...FULL.price.long_prompt, cached_input_usd: null, cache_write_usd: null },
  },
};

test("TOML and JSON say the same", () => {
  const toml = `
["nim:Qwen3-30B"]
window_tokens = 131072
max_output_tokens = 8192
capabilities = { tools = true, vision = false, json = true, reasoning = false }
as_of = "2026-11-29"

["nim:Qwen3-30B".price]
input_usd = 0.5
output_usd = 1.5
cached_input_usd = 0.05
cache_write_usd = 0.6
request_usd = 0.001
long_prompt = { above_tokens = 100_000, input_usd = 1, output_usd = 3 }
`;
  const json = `\uFEFF${JSON.stringify({ "nim:Qwen3-30B": FULL })}`;

  const wants = { cards: [["nim:qwen3-30b", READ]], findings: [], problems: [] };
  expect(JSON.parse(JSON.stringify(read(toml)))).toEqual(wants);
  expect(JSON.parse(JSON.stringify(read(json, "cards.JSON")))).toEqual(wants);
});

test.each(["openai:gpt-5.4", "NIM:x", "router.lan:a/b:c", "openrouter:z-ai/glm-5.3-flash:free"])(
  "%s can have a card",
  (target) => {
    const { cards, problems } = read(`[${JSON.stringify(target)}]\nwindow_tokens = 1\n`);

    expect(problems).toEqual([]);
    expect(cards).toEqual([[target.toLowerCase(), { window_tokens: 1 }]]);
  },
);

test("no file is no cards", () => {
  const sources = { env: {}, directory: "/", instances: [], readFile: reading({}) };

  expect(readCards(undefined, sources)).toEqual({ cards: new Map(), findings: [], problems: [] });
});

test.each([
  { file: "/abs/cards.toml", path: "/abs/cards.toml" },
  { file: "~/cards.toml", path: "/home/u/cards.toml" },
  { file: "sub/cards.toml", path: "/etc/veriroute/sub/cards.toml" },
])("$file is looked for at $path", ({ file, path }) => {
  const asked: string[] = [];
  const { findings } = readCards(file, {
    env: { HOME: "/home/u" },
    directory: "/etc/veriroute",
    instances: [],
    readFile: (at) => {
      asked.push(at);
      return { ok: false, reason: "permission denied" };
    },
  });

  expect(asked).toEqual([path]);
  expect(findings).toEqual([
    {
      path: ["catalog", "file"],
      message: `\`${path}\` cannot be read: permission denied`,
      hint: "give the path of a TOML or JSON file, or remove the setting",
    },
  ]);
});

const AT = "/etc/veriroute/cards.toml";

test.each<{ what: string; text: string; problem: string }>([
  {
    what: "an unknown instance",
    text: '["opnai:gpt-5.4"]\nwindow_tokens = 1',
    problem: `${AT}:1:2: "opnai:gpt-5.4": \`opnai\` is no instance and no provider type; did you mean \`openai:…\`?`,
  },
  {
    what: "a bare name",
    text: "[gpt]\nwindow_tokens = 1",
    problem: `${AT}:1:2: gpt: names no model; name a target, \`instance:model\`, as \`["openai:gpt-5.4"]\` in TOML`,
  },
  {
    what: "parameters",
    text: '["nim:m?order=1"]\nwindow_tokens = 1',
    problem: `${AT}:1:2: "nim:m?order=1": a card is of an \`instance:model\`, without \`?\` and \`#\`; write \`["openai:gpt-5.4"]\` in TOML`,
  },
  {
    what: "a misspelt key",
    text: '["nim:m"]\nwindow_token = 1',
    problem: `${AT}:2:1: "nim:m".window_token: unknown key; did you mean \`window_tokens\`?`,
  },
  {
    what: "a misspelt price",
    text: '["nim:m"]\nprice = { input_us = 1 }',
    problem: `${AT}:2:11: "nim:m".price.input_us: unknown key; did you mean \`input_usd\`?`,
  },
  {
    what: "a negative price",
    text: '["nim:m"]\nprice.input_usd = -1',
    problem: `${AT}:2:7: "nim:m".price.input_usd: expected a number from 0 to 100000, got -1`,
  },
  {
    what: "a price that is not a number",
    text: '["nim:m"]\nprice.input_usd = nan',
    problem: `${AT}:2:7: "nim:m".price.input_usd: expected a number from 0 to 100000, got NaN`,
  },
  {
    what: "a price per token",
    text: '["nim:m"]\nprice.input_usd = 0.0000025',
    problem: `${AT}:2:7: "nim:m".price.input_usd: 0.0000025 looks like a price per token; give USD per million tokens`,
  },
  {
    what: "a window of half a token",
    text: '["nim:m"]\nwindow_tokens = 0.5',
    problem: `${AT}:2:1: "nim:m".window_tokens: expected a whole number from 1 to 1000000000, got 0.5`,
  },
  {
    what: "a bare date",
    text: '["nim:m"]\nas_of = 2026-11-29',
    problem: `${AT}:2:1: "nim:m".as_of: expected a day such as \`"2026-11-29"\`, got a date (dates are written as texts, in quotes)`,
  },
  {
    what: "a card that is no table",
    text: '"nim:m" = 7',
    problem: `${AT}:1:1: "nim:m": expected a table, got 7`,
  },
  {
    what: "long prompts without their price",
    text: '["nim:m"]\nprice.long_prompt = { above_tokens = 5, input_usd = 1 }',
    problem: `${AT}:2:7: "nim:m".price.long_prompt.output_usd: is missing; give a number from 0 to 100000`,
  },
])("$what is a problem with its place", ({ text, problem }) => {
  expect(read(text)).toEqual({ cards: [], findings: [], problems: [problem] });
});

test("every problem is listed at once, in the order of the file", () => {
  const { problems } = read(`["nim:a"]
window_tokens = 0

["nim:b"]
colour = "red"

["NIM:a"]
window_tokens = 7
`);

  expect(problems.map((problem) => problem.slice(AT.length + 1).split(": ")[0])).toEqual([
    "2:1",
    "5:1",
  ]);
});

test("a target that stands twice in different case is a problem", () => {
  const { problems } = read('["nim:a"]\nwindow_tokens = 1\n["NIM:A"]\nwindow_tokens = 2\n');

  expect(problems).toEqual([
    `${AT}:3:2: "NIM:A": stands twice, in different case; remove one of them`,
  ]);
});

test.each<{ what: string; text: string; problems: string[] }>([
  {
    what: "that breaks off",
    text: '{\n  "nim:m": {',
    problems: [":2:13: JSON syntax: it breaks here"],
  },
  { what: "that is a list", text: "[1]", problems: [":1:1: must be a JSON object"] },
  {
    what: "with wrong values",
    text: '{\n  "nim:größe": {\n    "price": { "input_usd": "1" },\n    "windows": 7\n  }\n}',
    problems: [
      ':3:16: "nim:größe".price.input_usd: expected a number from 0 to 100000, got the text `1`',
      ':4:5: "nim:größe".windows: unknown key; did you mean `window_tokens`?',
    ],
  },
])("JSON $what is placed by line and column", ({ text, problems }) => {
  expect(read(text, "cards.json").problems).toEqual(
    problems.map((problem) => `/etc/veriroute/cards.json${problem}`),
  );
});

test("`__proto__` is no card and poisons nothing", () => {
  const { cards } = read('{"__proto__": {"window_tokens": 1}}', "cards.json");

  expect(cards).toEqual([]);
  expect(Object.hasOwn(Object.prototype, "window_tokens")).toBe(false);
});

async function load(config: string, cards: string | null) {
  using directory = tempDir();
  const path = join(directory.path, "veriroute.toml");
  await Bun.write(path, config);
  if (cards !== null) await Bun.write(join(directory.path, "cards.toml"), cards);
  const loaded = loadConfig({
    path,
    env: {},
    overrides: {},
    keyScopes: new Set(),
    storedProfiles: new Set(),
  });
  const shown = loaded.ok ? [] : loaded.problems.map((problem) => formatProblem(problem));
  return { loaded, problems: shown.map((line) => line.replaceAll(`${directory.path}/`, "")) };
}

test("a config brings its cards along", async () => {
  const { loaded } = await load(
    '[providers.nim]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:1/v1"\n[catalog]\nfile = "cards.toml"',
    '["nim:m"]\nwindow_tokens = 4096',
  );

  expect(loaded.ok && [...loaded.cards]).toEqual([["nim:m", { window_tokens: 4096 }]]);
});

test("problems of both files are listed at once, each with its file", async () => {
  const { problems } = await load(
    '[server]\nport = "x"\n[catalog]\nfile = "cards.toml"',
    '["openai:m"]\nwindow_tokens = -1',
  );

  expect(problems).toEqual([
    "veriroute.toml:2:1: server.port: expected a whole number from 0 to 65535, got the text `x`",
    'cards.toml:2:1: "openai:m".window_tokens: expected a whole number from 1 to 1000000000, got -1',
  ]);
});

test("a file that is not there is a problem of the setting", async () => {
  const { problems } = await load('[catalog]\nfile = "cards.toml"', null);

  expect(problems).toEqual([
    "veriroute.toml:2:1: catalog.file: `cards.toml` cannot be read: no such file; give the path of a TOML or JSON file, or remove the setting",
  ]);
});

test("a provider that is wrong itself is still a name that cards may use", async () => {
  const { problems } = await load(
    '[providers.nim]\ntype = 7\n[catalog]\nfile = "cards.toml"',
    '["nim:m"]\nwindow_tokens = 4096',
  );

  expect(problems.filter((problem) => problem.startsWith("cards.toml"))).toEqual([]);
});
