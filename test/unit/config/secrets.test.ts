import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { expandSecret, expandVariables } from "../../../src/config/secrets.ts";
import { configOf, problemsOf } from "./load.ts";

const ENV = { KEY: "k1", EMPTY: "", LIST: "a:b", FILE: "file:/etc/passwd" };

test.each([
  { text: "plain", expanded: "plain" },
  { text: "${KEY}", expanded: "k1" },
  { text: "Bearer ${KEY}!", expanded: "Bearer k1!" },
  { text: "${KEY}${LIST}", expanded: "k1a:b" },
  { text: "${NONE:-d}", expanded: "d" },
  { text: "${EMPTY:-d}", expanded: "d" },
  { text: "${KEY:-d}", expanded: "k1" },
  { text: "${NONE:-}", expanded: "" },
  { text: "${NONE:-a:-b}", expanded: "a:-b" },
  { text: "${EMPTY}", expanded: "" },
  { text: "$${KEY}", expanded: "${KEY}" },
  { text: "$KEY $ {KEY} $$", expanded: "$KEY $ {KEY} $$" },
])("$text becomes $expanded", ({ text, expanded }) => {
  expect(expandVariables(text, ENV)).toEqual({ ok: true, text: expanded });
});

test.each([
  { text: "${NONE}", message: "environment variable `NONE` is not set" },
  { text: "${KEY}${NONE}", message: "environment variable `NONE` is not set" },
  { text: "${KEY", message: "`${` without a closing `}`" },
  { text: "${}", message: "`${…}` does not hold a variable's name" },
  { text: "${1A}", message: "`${…}` does not hold a variable's name" },
  { text: "${KEY-d}", message: "`${…}` does not hold a variable's name" },
  { text: "${env:KEY}", message: "`${…}` does not hold a variable's name" },
])("$text is refused: $message", ({ text, message }) => {
  expect(expandVariables(text, ENV)).toMatchObject({ ok: false, message });
});

test("a text without `${` is never changed", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes("${")),
      (text) => {
        expect(expandVariables(text, ENV)).toEqual({ ok: true, text });
      },
    ),
  );
});

describe("file:", () => {
  const files: Readonly<Record<string, string>> = {
    "/run/key": "secret\n",
    "/run/dos": "secret\r\n",
    "/home/u/key": "home",
    "/etc/veriroute/near": "near",
    "/creds/key": "cred",
  };
  const sources = {
    env: { HOME: "/home/u", CREDENTIALS_DIRECTORY: "/creds", ...ENV },
    directory: "/etc/veriroute",
    readFile: (path: string) => {
      const text = files[path];
      return text === undefined
        ? { ok: false as const, reason: "no such file" }
        : { ok: true as const, text, mode: 0o600 };
    },
  };

  test.each([
    { text: "file:/run/key", secret: "secret" },
    { text: "file:///run/key", secret: "secret" },
    { text: "file:/run/dos", secret: "secret" },
    { text: "file:~/key", secret: "home" },
    { text: "file:near", secret: "near" },
    { text: "file:./near", secret: "near" },
    { text: "file:${CREDENTIALS_DIRECTORY}/key", secret: "cred" },
  ])("$text is read", ({ text, secret }) => {
    expect(expandSecret(text, sources)).toEqual({ ok: true, text: secret });
  });

  test("a file that cannot be read is named with the reason", () => {
    expect(expandSecret("file:/run/none", sources)).toEqual({
      ok: false,
      message: "`/run/none` cannot be read: no such file",
      hint: "`file:` takes the path of a file that holds nothing but the secret",
    });
  });

  test("what a variable holds never names a file", () => {
    expect(expandSecret("${FILE}", sources)).toEqual({ ok: true, text: "file:/etc/passwd" });
  });
});

test("secrets, headers and base URLs of a config are filled in", () => {
  const text = [
    "[server]",
    'admin_key = "file:/a"',
    "[providers.box]",
    'type = "vllm"',
    'base_url = "http://${BOX}:8000/v1"',
    'api_key = "${BOX_KEY}"',
    'headers = { x-a = "A ${BOX_KEY}", x-b = "file:b" }',
  ].join("\n");
  const given = {
    env: { BOX: "10.0.0.2", BOX_KEY: "k" },
    files: { "/a": "admin\n", "/etc/veriroute/b": "B\n" },
  };

  const { server, providers } = configOf(text, given);

  expect({ admin: server.admin_key, box: providers["box"] }).toEqual({
    admin: "admin",
    box: {
      type: "vllm",
      base_url: "http://10.0.0.2:8000/v1",
      api_key: "k",
      local: false,
      inline_reasoning: false,
      headers: { "x-a": "A k", "x-b": "B" },
    },
  });
});

test("`file:` is no way to write a base URL", () => {
  const text = '[providers.box]\ntype = "vllm"\nbase_url = "file:/a"';

  expect(problemsOf(text, { files: { "/a": "http://h" } })).toEqual([
    "veriroute.toml:3:1: providers.box.base_url: must start with `http://` or `https://`; write it out, as in `http://127.0.0.1:8000/v1`",
  ]);
});
