import { expect, test } from "bun:test";

import { problemsOf } from "./load.ts";

interface Case {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly string[];
}

test.each<Case>([
  {
    name: "an unknown key names the nearest one of its table",
    text: '[providers.nim]\ntype = "vllm"\nbase_ur = "x"',
    problems: ["veriroute.toml:3:1: providers.nim.base_ur: unknown key; did you mean `base_url`?"],
  },
  {
    name: "a key in the wrong section names the right one",
    text: '[server]\nmax_stream = "1h"',
    problems: [
      "veriroute.toml:2:1: server.max_stream: unknown key; `max_stream` belongs in `[routing]`",
    ],
  },
  {
    name: "an unknown section names the nearest one",
    text: "[sever]\nport = 1",
    problems: ["veriroute.toml:1:2: sever: unknown section; did you mean `server`?"],
  },
  {
    name: "a key unlike any other lists what is known",
    text: "[store]\nzzz = 1",
    problems: ["veriroute.toml:2:1: store.zzz: unknown key; known here: retention, max_size"],
  },
  {
    name: "a text where a number belongs",
    text: '[server]\nport = "80"',
    problems: [
      "veriroute.toml:2:1: server.port: expected a whole number from 0 to 65535, got the text `80`",
    ],
  },
  {
    name: "a number out of range",
    text: "[server]\n  port = 70000",
    problems: [
      "veriroute.toml:2:3: server.port: expected a whole number from 0 to 65535, got 70000",
    ],
  },
  {
    name: "a fraction where a whole number belongs",
    text: "routing.max_attempts = 1.5",
    problems: [
      "veriroute.toml:1:9: routing.max_attempts: expected a whole number from 1 to 20, got 1.5",
    ],
  },
  {
    name: "a list with a wrong element is not missing too",
    text: '[pools.main]\ntargets = ["sim:echo", "", 1]',
    problems: [
      "veriroute.toml:2:24: pools.main.targets.1: expected a text that is not empty, got the text ``",
      "veriroute.toml:2:28: pools.main.targets.2: expected a text that is not empty, got 1",
    ],
  },
  {
    name: "tables without end",
    text: `[${Array.from({ length: 50_000 }, () => "a").join(".")}]`,
    problems: ["veriroute.toml: its tables nest too deeply to be read"],
  },
  {
    name: "a text where true or false belongs",
    text: '[routing]\ndiscover_local = "yes"',
    problems: [
      "veriroute.toml:2:1: routing.discover_local: expected true or false, got the text `yes`",
    ],
  },
  {
    name: "a choice that is none",
    text: '[log]\nlevel = "inf"',
    problems: [
      "veriroute.toml:2:1: log.level: expected one of `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`, got the text `inf`; did you mean `info`?",
    ],
  },
  {
    name: "a bare date",
    text: "[routing]\ndeadline = 1979-05-27",
    problems: [
      'veriroute.toml:2:1: routing.deadline: expected a duration such as `"45m"` or `"1h30m"` (units ms, s, m, h, d), got a date (dates are written as texts, in quotes)',
    ],
  },
  {
    name: "a duration without its unit",
    text: "[server]\nkeepalive_after = 15",
    problems: [
      'veriroute.toml:2:1: server.keepalive_after: expected a duration such as `"45m"`, or `"off"`, got 15',
    ],
  },
  {
    name: "a duration of zero where that means nothing",
    text: '[routing]\nidle_timeout = "0s"\n[server]\ndrain = "0s"',
    problems: ["veriroute.toml:2:1: routing.idle_timeout: must be more than zero"],
  },
  {
    name: "a duration beyond what a timer can hold",
    text: '[routing]\ndeadline = "30d"\n[store]\nretention = "365d"',
    problems: [
      "veriroute.toml:2:1: routing.deadline: `30d` is longer than a timer can run (24 days)",
    ],
  },
  {
    name: "a size with a blank in it, and one of nothing",
    text: '[store]\nmax_size = "2 GB"\n[server]\nmax_body = "0B"',
    problems: [
      'veriroute.toml:2:1: store.max_size: expected a size such as `"32MiB"` (units B, KB, MB, GB, KiB, MiB, GiB), got the text `2 GB`',
      "veriroute.toml:4:1: server.max_body: must be more than zero",
    ],
  },
  {
    name: "a value where a table belongs",
    text: "server = 3",
    problems: ["veriroute.toml:1:1: server: expected a table, got 3"],
  },
  {
    name: "a list of tables where one table belongs",
    text: "[[server]]\nport = 1",
    problems: ["veriroute.toml:1:3: server: expected a table, got a list"],
  },
  {
    name: "an element of the wrong type inside a list over several lines",
    text: '[server]\nallowed_hosts = [\n  "a.lan",\n  7,\n]',
    problems: ["veriroute.toml:4:3: server.allowed_hosts.1: expected a text in quotes, got 7"],
  },
  {
    name: "a key in an inline table",
    text: 'providers.box = { type = "vllm", lokal = true }',
    problems: ["veriroute.toml:1:34: providers.box.lokal: unknown key; did you mean `local`?"],
  },
  {
    name: "a pool without its members",
    text: '[pools.main]\nstrategy = "priority"',
    problems: [
      'veriroute.toml:1:8: pools.main.targets: is missing; give a list of texts, such as `["a", "b"]`',
    ],
  },
  {
    name: "a variable where none is replaced",
    text: '[server]\nhost = "${HOST}"\n[aliases]\nfast = "${MODEL}"',
    problems: [
      "veriroute.toml:2:1: server.host: variables are only replaced in secrets, `headers` and `base_url`; write the value itself, or set `VERIROUTE_SERVER_HOST`",
      "veriroute.toml:4:1: aliases.fast: variables are only replaced in secrets, `headers` and `base_url`; write the value itself",
    ],
  },
])("$name", ({ text, problems }) => {
  expect(problemsOf(text)).toEqual([...problems]);
});

test("all problems of a file are listed at once, in its order", () => {
  const text = [
    "[server]",
    "prt = 1",
    'max_body = "big"',
    "[providers.box]",
    'type = "vlm"',
    'api_key = "${BOX_KEY}"',
    "[pools]",
    'main = ["boks:m"]',
    "[routing]",
    'default_pool = "mian"',
  ].join("\n");

  const places = problemsOf(text, { env: { VERIROUTE_LOG_LEVEL: "loud" } }).map((line) =>
    line.split(": ").slice(0, 2),
  );

  expect(places).toEqual([
    ["veriroute.toml:2:1", "server.prt"],
    ["veriroute.toml:3:1", "server.max_body"],
    ["veriroute.toml:5:1", "providers.box.type"],
    ["veriroute.toml:6:1", "providers.box.api_key"],
    ["veriroute.toml:8:9", "pools.main.targets.0"],
    ["veriroute.toml:10:1", "routing.default_pool"],
    ["VERIROUTE_LOG_LEVEL", "log.level"],
  ]);
});

test("a value that is wrong is reported once, and what depends on it not at all", () => {
  const text = [
    "[server]",
    'host = "0.0.0.0"',
    "client_key = 5",
    'admin_key = "${ADMIN}"',
    "[providers.box]",
    "type = 7",
    "[pools]",
    "main = 3",
    "[routing]",
    'default_pool = "main"',
    "[aliases]",
    'fast = "pool:main"',
  ].join("\n");

  expect(problemsOf(text).map((line) => line.split(": ")[1])).toEqual([
    "server.client_key",
    "server.admin_key",
    "providers.box.type",
    "pools.main",
  ]);
});

test.each([
  { name: "a syntax error", text: '[server]\napi_key = "sk-very-secret' },
  { name: "a syntax error without quotes", text: "[server]\nadmin_key = sk-very-secret" },
  { name: "a wrong type", text: '[providers.box]\napi_key = ["sk-very-secret"]' },
  { name: "an unknown key", text: '[providers.box]\napi_keey = "sk-very-secret"' },
  { name: "a header", text: '[providers.box]\nheaders = { a = ["sk-very-secret"] }' },
  { name: "a line break in a key", text: '[providers.openai]\napi_key = "sk-very-secret\\n"' },
  { name: "a header value", text: '[providers.openai]\nheaders = { a = "sk-very-secret\\n" }' },
  {
    name: "a password in a URL",
    text: '[providers.openai]\nbase_url = "http://u:sk-very-secret@h/v1"',
  },
  {
    name: "a password in an origin",
    text: '[server]\ncors_origins = ["http://u:sk-very-secret@h"]',
  },
  { name: "a secret in a file", text: '[server]\nadmin_key = "file:/key"' },
  { name: "a secret taken for a path", text: '[server]\nadmin_key = "file:${KEY}"' },
  { name: "a secret in a variable", text: '[server]\nadmin_key = "${KEY}"' },
])("$name is reported without the secret in it", ({ text }) => {
  const given = {
    env: { KEY: "sk-very-secret with a blank" },
    files: { "/key": "sk-very-secret\nsecond line" },
  };

  const problems = problemsOf(text, given);

  expect(problems).not.toEqual([]);
  expect(problems.join("\n")).not.toContain("very-secret");
});

test("a key written as a number is not repeated either", () => {
  expect(problemsOf("[server]\nadmin_key = 31337")).toEqual([
    "veriroute.toml:2:1: server.admin_key: expected a text in quotes, got a number",
  ]);
});
