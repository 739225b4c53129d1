import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { loadConfig } from "../../../src/config/layers.ts";
import { formatPath, parsePath } from "../../../src/config/problem.ts";
import type { Layer } from "../../../src/config/sources.ts";
import { configOf, load, warningsOf } from "./load.ts";

const NOTHING = { path: null, env: {}, overrides: {}, keyScopes: new Set<never>() };

test("with nothing configured every value is its default", () => {
  const loaded = loadConfig(NOTHING);

  if (!loaded.ok) throw new Error("defaults are not valid");
  expect(loaded.warnings).toEqual([]);
  expect(new Set(Object.values(loaded.sources))).toEqual(new Set<Layer>(["default"]));
  expect(loaded.config.server).toEqual({
    host: "127.0.0.1",
    port: 8484,
    max_body: "32MiB",
    upload_timeout: "30s",
    max_in_flight: 4096,
    keepalive_after: "15s",
    drain: "8s",
    allowed_hosts: [],
    cors_origins: [],
  });
});

describe("each layer beats the ones below", () => {
  const file = '[log]\nlevel = "error"';
  const env = { VERIROUTE_LOG_LEVEL: "warn" };
  const overrides = { "log.level": '"debug"' };

  test.each<{ layer: Layer; text: string; given: object; level: string }>([
    { layer: "default", text: "", given: {}, level: "info" },
    { layer: "file", text: file, given: {}, level: "error" },
    { layer: "environment", text: file, given: { env }, level: "warn" },
    { layer: "store", text: file, given: { env, overrides }, level: "debug" },
  ])("$layer", ({ layer, text, given, level }) => {
    const loaded = load(text, given);

    expect(loaded).toMatchObject({
      ok: true,
      config: { log: { level } },
      sources: { "log.level": layer, "server.port": "default" },
    });
  });
});

test("sources cover named tables, and keys whose names need quotes", () => {
  const text = '[providers.groq]\napi_key = "k"\n[aliases]\n"claude-*" = "groq:m"';
  const loaded = load(text, { env: { VERIROUTE_PROVIDERS_GROQ_LOCAL: "true" } });

  expect(loaded).toMatchObject({
    sources: {
      "providers.groq.api_key": "file",
      "providers.groq.local": "environment",
      'aliases."claude-*"': "file",
    },
  });
});

test("tables of file and environment are merged, the file's names first", () => {
  const text = '[providers.b]\ntype = "vllm"\n[providers.a]\ntype = "vllm"';
  const env = { VERIROUTE_PROVIDERS_C_TYPE: "vllm", VERIROUTE_PROVIDERS_A_DEFAULT_MODEL: "m" };

  expect(Object.keys(configOf(text, { env }).providers)).toEqual(["b", "a", "c"]);
});

test.each([
  { overrides: { "log.level": '"loud"' }, says: "expected one of" },
  { overrides: { "server.port": "1" }, says: "cannot be changed at run time" },
  { overrides: { "routing.max_attempts": "{" }, says: "there is no value" },
  { overrides: { "routing.default_pool": '"gone"' }, says: "there is no pool `gone`" },
])(
  "a stored value that no longer fits, $overrides, is passed over with a warning",
  ({ overrides, says }) => {
    const text =
      '[log]\nlevel = "error"\n[pools]\nmain = "sim:echo"\n[routing]\ndefault_pool = "main"';
    const { log, routing, server } = configOf(text, { overrides });
    const warnings = warningsOf(text, { overrides });

    expect([log.level, routing.default_pool, routing.max_attempts, server.port]).toEqual([
      "error",
      "main",
      3,
      8484,
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(says);
    expect(warnings[0]).toContain("the stored value is not used");
  },
);

test("a stored value that does not fit does not take the others with it", () => {
  const overrides = { "routing.default_pool": '"gone"', "routing.max_attempts": "7" };

  expect(configOf("", { overrides }).routing.max_attempts).toBe(7);
});

test("a config file that cannot be read is named with the reason", () => {
  expect(loadConfig({ ...NOTHING, path: "/none/veriroute.toml" })).toEqual({
    ok: false,
    problems: [
      {
        source: "/none/veriroute.toml",
        line: null,
        column: null,
        path: "",
        message: "the config file cannot be read: no such file",
        hint: "name another with `--config`, or write one with `veriroute init`",
      },
    ],
    warnings: [],
  });
});

test("a loaded config cannot be changed", () => {
  const config = configOf('[pools]\nmain = "sim:echo"');

  expect(Object.isFrozen(config.pools["main"]?.targets)).toBe(true);
  expect(Object.isFrozen(config.server)).toBe(true);
});

test("a dotted key tells its path", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path);
    }),
  );
});

test("whatever is in the file, loading answers and never throws", () => {
  const value = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.array(fc.string()));
  const key = fc.constantFrom("server", "providers", "pools", "routing", "aliases", "x y", "host");
  const tree = fc.dictionary(
    key,
    fc.oneof(value, fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)))),
  );

  fc.assert(
    fc.property(tree, (config) => {
      expect(typeof load(Bun.TOML.stringify(config)).ok).toBe("boolean");
    }),
  );
});
