import { describe, expect, test } from "bun:test";

import { configKeys } from "../../../src/config/keys.ts";
import { redactAt, redactConfig } from "../../../src/config/redact.ts";
import { configOf } from "./load.ts";

const TEXT = [
  "[server]",
  'admin_key = "sk-hidden-1"',
  "[providers.box]",
  'type = "vllm"',
  'api_key = "sk-hidden-2"',
  'headers = { x-a = "sk-hidden-3" }',
  "[providers.free]",
  'type = "vllm"',
].join("\n");

test("a config is shown without any secret, and says which are set", () => {
  const shown = redactConfig(configOf(TEXT));

  expect(JSON.stringify(shown)).not.toContain("hidden");
  expect(shown).toMatchObject({
    server: { host: "127.0.0.1", port: 8484, client_key: "unset", admin_key: "set" },
    providers: {
      box: { type: "vllm", api_key: "set", headers: { "x-a": "set" } },
      free: { type: "vllm", api_key: "unset", headers: {} },
    },
  });
});

describe("single values", () => {
  test.each([
    { path: ["server", "admin_key"], value: "s", shown: "set" },
    { path: ["server", "admin_key"], value: undefined, shown: "unset" },
    { path: ["server", "port"], value: 1, shown: 1 },
    { path: ["providers", "a.b", "api_key"], value: "s", shown: "set" },
    { path: ["providers", "a", "headers", "x-a"], value: "s", shown: "set" },
    { path: ["providers", "a", "headers"], value: { b: "s" }, shown: { b: "set" } },
    { path: ["providers", "a", "base_url"], value: "http://u:p@h/v1", shown: "http://h/v1" },
    { path: ["providers", "a", "base_url"], value: "http://u:p@x@h/v1", shown: "http://h/v1" },
    { path: ["providers", "a", "base_url"], value: "http://h/a@b", shown: "http://h/a@b" },
    { path: ["pools", "a", "targets"], value: ["x:m"], shown: ["x:m"] },
    { path: ["server", "unheard_of"], value: "s", shown: undefined },
  ])("$path = $value is shown as $shown", ({ path, value, shown }) => {
    expect(redactAt(path, value)).toEqual(shown);
  });
});

test("every key that sounds like a secret is treated as one", () => {
  const secrets = configKeys().filter(({ secret }) => secret);

  expect(secrets.map(({ path }) => path.join("."))).toEqual([
    "server.client_key",
    "server.admin_key",
    "providers.*.api_key",
    "providers.*.headers",
    "notifications.*.url",
    "notifications.*.token",
    "runtimes.hf_token",
  ]);
  expect(
    configKeys().filter(({ key, secret }) => /key|token|secret|password/.test(key) && !secret),
  ).toMatchObject([
    { key: "first_token_timeout" },
    { key: "first_token_timeout" },
    { key: "max_tokens_per_provider" },
  ]);
});
