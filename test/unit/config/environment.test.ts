import { describe, expect, test } from "bun:test";

import { readEnvironment, variableName } from "../../../src/config/environment.ts";
import { configKeys } from "../../../src/config/keys.ts";
import { configOf, load, problemsOf, warningsOf } from "./load.ts";

describe("a variable sets", () => {
  test.each([
    { variable: "VERIROUTE_SERVER_PORT", text: "9000", path: ["server", "port"], value: 9000 },
    { variable: "VERIROUTE_SERVER_PORT", text: " 9000 ", path: ["server", "port"], value: 9000 },
    { variable: "VERIROUTE_LOG_LEVEL", text: "warn", path: ["log", "level"], value: "warn" },
    {
      variable: "VERIROUTE_ROUTING_DISCOVER_LOCAL",
      text: "false",
      path: ["routing", "discover_local"],
      value: false,
    },
    {
      variable: "VERIROUTE_SERVER_ALLOWED_HOSTS",
      text: "a.lan, b.lan,",
      path: ["server", "allowed_hosts"],
      value: ["a.lan", "b.lan"],
    },
    {
      variable: "VERIROUTE_SERVER_ALLOWED_HOSTS",
      text: '["a.lan"]',
      path: ["server", "allowed_hosts"],
      value: ["a.lan"],
    },
    {
      variable: "VERIROUTE_SERVER_ALLOWED_HOSTS",
      text: "",
      path: ["server", "allowed_hosts"],
      value: [],
    },
    {
      variable: "VERIROUTE_PROVIDERS_MY_BOX_LOCAL",
      text: "true",
      path: ["providers", "my_box", "local"],
      value: true,
    },
    {
      variable: "VERIROUTE_PROVIDERS_NIM_BASE_URL",
      text: "http://h/v1",
      path: ["providers", "nim", "base_url"],
      value: "http://h/v1",
    },
    {
      variable: "VERIROUTE_PROVIDERS_NIM_HEADERS",
      text: '{"x-a":"b"}',
      path: ["providers", "nim", "headers"],
      value: { "x-a": "b" },
    },
    {
      variable: "VERIROUTE_POOLS_MAIN_TARGETS",
      text: "a:m,b:m",
      path: ["pools", "main", "targets"],
      value: ["a:m", "b:m"],
    },
  ])("$path by $variable=$text", ({ variable, text, path, value }) => {
    const { tree, variables } = readEnvironment({ [variable]: text }, {});

    let found: unknown = tree;
    for (const key of path) found = Reflect.get(Object(found), key);
    expect(found).toEqual(value);
    expect([...variables]).toEqual([[path.join("."), variable]]);
  });

  test("the table the file spells so, whatever its case and dashes", () => {
    const env = { VERIROUTE_PROVIDERS_MY_BOX_API_KEY: "k" };
    const { providers } = configOf('[providers.My-Box]\ntype = "vllm"', { env });

    expect(Object.keys(providers)).toEqual(["My-Box"]);
    expect(providers["My-Box"]?.api_key).toBe("k");
  });

  test("an instance and a pool with no file at all", () => {
    const { providers, pools } = configOf("", {
      env: {
        VERIROUTE_PROVIDERS_BOX_TYPE: "openai-compatible",
        VERIROUTE_PROVIDERS_BOX_BASE_URL: "http://${HOST_NAME}/v1",
        HOST_NAME: "h",
        VERIROUTE_POOLS_MAIN_TARGETS: "box:m",
      },
    });

    expect(providers["box"]?.base_url).toBe("http://h/v1");
    expect(pools["main"]).toEqual({ affinity: "session", targets: ["box:m"] });
  });

  test("nothing when it is empty, but for lists and secrets", () => {
    expect(configOf("[server]\nport = 1", { env: { VERIROUTE_SERVER_PORT: "" } }).server.port).toBe(
      1,
    );
  });
});

test("every settable key has a variable of its own", () => {
  const names = configKeys().map(({ path }) => variableName(path));

  expect(new Set(names).size).toBe(names.length);
});

test.each([
  {
    env: { VERIROUTE_SERVER_PROT: "1" },
    problem: "VERIROUTE_SERVER_PROT: is no setting; did you mean `VERIROUTE_SERVER_PORT`?",
  },
  {
    env: { VERIROUTE_ALIASES_FAST: "m" },
    problem: "VERIROUTE_ALIASES_FAST: aliases cannot be set by variable; write them in the file",
  },
  {
    env: { VERIROUTE_SERVER_PORT: "tcp://10.0.0.1:8484" },
    problem:
      "VERIROUTE_SERVER_PORT: server.port: expected a whole number from 0 to 65535, got the text `tcp://10.0.0.1:8484`",
  },
  {
    env: { VERIROUTE_SERVER_PORT: "0x50" },
    problem:
      "VERIROUTE_SERVER_PORT: server.port: expected a whole number from 0 to 65535, got the text `0x50`",
  },
  {
    env: { VERIROUTE_ROUTING_DISCOVER_LOCAL: "no" },
    problem:
      "VERIROUTE_ROUTING_DISCOVER_LOCAL: routing.discover_local: expected true or false, got the text `no`",
  },
  {
    env: { VERIROUTE_SERVER_CORS_ORIGINS: "https://a.example,x" },
    problem:
      "VERIROUTE_SERVER_CORS_ORIGINS: server.cors_origins.1: `x` is no origin; write scheme, host and port alone, as in `https://chat.example.org`",
  },
  {
    env: { VERIROUTE_PROVIDERS_BOX_API_KEY: "k" },
    problem:
      'VERIROUTE_PROVIDERS_BOX_API_KEY: providers.box: `box` is no provider type, so it needs a `type`; add `type = "openai-compatible"`',
  },
  {
    env: { VERIROUTE_POOLS_MAIN_STRATEGY: "priority" },
    problem:
      'VERIROUTE_POOLS_MAIN_STRATEGY: pools.main.targets: is missing; give a list of texts, such as `["a", "b"]`',
  },
])("$env is a problem of the variable", ({ env, problem }) => {
  expect(problemsOf("", { env })).toEqual([problem]);
});

test("a table that only variables made is placed there, even beside others of the file", () => {
  const env = { VERIROUTE_POOLS_MAIN_STRATEGY: "priority" };
  const [problem] = problemsOf('[pools]\nother = "sim:echo"', { env });

  expect(problem).toStartWith("VERIROUTE_POOLS_MAIN_STRATEGY: pools.main.targets: is missing");
});

test("a variable that belongs to no section may be meant for something else: a warning", () => {
  const env = { VERIROUTE_SERVICE_HOST: "10.0.0.1", VERIROUTE_SEVER_PORT: "1" };

  expect(warningsOf("", { env })).toEqual([
    "VERIROUTE_SERVICE_HOST: is no setting, ignored; did you mean `VERIROUTE_SERVER_HOST`?",
    "VERIROUTE_SEVER_PORT: is no setting, ignored; did you mean `VERIROUTE_SERVER_PORT`?",
  ]);
});

test("variables that other parts read are left alone", () => {
  const names = ["STATE_DIR", "CONFIG", "ADMIN_KEY", "KEY", "REQUIRE_ALL", "BINARY"];
  const env = Object.fromEntries(names.map((name) => [`VERIROUTE_${name}`, "x"]));

  expect(load("", { env })).toMatchObject({ ok: true, warnings: [] });
});
