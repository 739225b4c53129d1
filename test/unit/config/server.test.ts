import { describe, expect, test } from "bun:test";

import type { KeyScope } from "../../../src/config/check.ts";
import { problemsOf, warningsOf } from "./load.ts";

describe("binding beyond loopback", () => {
  const both =
    "veriroute.toml:2:1: server.host: `0.0.0.0` lets other machines connect, and there is no client and no admin key; run `veriroute keys create --scope client` and `veriroute keys create --scope admin`, or set `client_key` and `admin_key` in `[server]`, or bind `127.0.0.1`";
  const admin =
    "veriroute.toml:2:1: server.host: `0.0.0.0` lets other machines connect, and there is no admin key; run `veriroute keys create --scope admin`, or set `admin_key` in `[server]`, or bind `127.0.0.1`";

  test.each<{ name: string; more: string; stored: KeyScope[]; problems: string[] }>([
    { name: "without any key", more: "", stored: [], problems: [both] },
    { name: "with a client key only", more: 'client_key = "c"', stored: [], problems: [admin] },
    { name: "with a stored client key only", more: "", stored: ["client"], problems: [admin] },
    {
      name: "with both keys in the file",
      more: 'client_key = "c"\nadmin_key = "a"',
      stored: [],
      problems: [],
    },
    { name: "with both keys stored", more: "", stored: ["client", "admin"], problems: [] },
    { name: "with one of each", more: 'admin_key = "a"', stored: ["client"], problems: [] },
  ])("$name", ({ more, stored, problems }) => {
    const text = `[server]\nhost = "0.0.0.0"\n${more}`;

    expect(problemsOf(text, { keyScopes: new Set(stored) })).toEqual(problems);
  });

  test("by variable names the variable", () => {
    const [problem] = problemsOf("", { env: { VERIROUTE_SERVER_HOST: "192.168.1.2" } });

    expect(problem).toStartWith("VERIROUTE_SERVER_HOST: server.host: `192.168.1.2` lets other");
  });

  test("is judged by where the listener is as well", () => {
    const text = '[server]\nhost = "127.0.0.1"';

    expect(problemsOf(text, { boundHost: "127.0.0.1" })).toEqual([]);
    expect(problemsOf(text, { boundHost: "::" }).join()).toContain("`::` lets other machines");
  });

  test.each(["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"])("%s is loopback", (host) => {
    expect(problemsOf(`[server]\nhost = "${host}"`)).toEqual([]);
  });
});

test.each([
  { host: "127.0.0.1:8484", says: "`127.0.0.1:8484` is no host name with a port" },
  { host: "http://127.0.0.1", says: "`http://127.0.0.1` is no host name" },
  { host: "a b", says: "`a b` is no host name" },
  { host: "*", says: "`*` is no host name" },
  { host: "[::1]:80", says: "`[::1]:80` is no host name" },
])("$host can be neither bound nor allowed", ({ host, says }) => {
  const hint = "write a host name or address alone, as in `router.lan` or `127.0.0.1`";

  expect(problemsOf(`[server]\nallowed_hosts = ["router.lan", "${host}"]`)).toEqual([
    `veriroute.toml:2:32: server.allowed_hosts.1: ${says}; ${hint}`,
  ]);
  expect(problemsOf(`[server]\nhost = "${host}"`)).toHaveLength(1);
});

test.each([
  {
    origin: "https://a.example/",
    says: "`https://a.example/` is not how a browser writes the origin; write `https://a.example`",
  },
  {
    origin: "https://A.example",
    says: "`https://A.example` is not how a browser writes the origin; write `https://a.example`",
  },
  {
    origin: "http://a.example:80",
    says: "`http://a.example:80` is not how a browser writes the origin; write `http://a.example`",
  },
  {
    origin: "a.example",
    says: "`a.example` is no origin; write scheme, host and port alone, as in `https://chat.example.org`",
  },
  {
    origin: "null",
    says: "`null` is no origin; write scheme, host and port alone, as in `https://chat.example.org`",
  },
  {
    origin: "file:///x",
    says: "`file:///x` is no origin; write scheme, host and port alone, as in `https://chat.example.org`",
  },
  {
    origin: "*",
    says: "`*` would let any web page call the router; write scheme, host and port alone, as in `https://chat.example.org`",
  },
])("$origin is no CORS origin", ({ origin, says }) => {
  expect(problemsOf(`[server]\ncors_origins = ["http://localhost:3000", "${origin}"]`)).toEqual([
    `veriroute.toml:2:42: server.cors_origins.1: ${says}`,
  ]);
});

test.each(["client_key", "admin_key"])("an empty %s is an error, never an open door", (key) => {
  const problem = `server.${key}: is empty; give it a value or remove it`;

  expect(problemsOf(`[server]\n${key} = ""`)).toEqual([`veriroute.toml:2:1: ${problem}`]);
  expect(problemsOf(`[server]\n${key} = "\${KEY}"`, { env: { KEY: "" } })).toEqual([
    `veriroute.toml:2:1: ${problem}`,
  ]);
  const variable = `VERIROUTE_SERVER_${key.toUpperCase()}`;
  expect(problemsOf("", { env: { [variable]: "" } })).toEqual([`${variable}: ${problem}`]);
});

test("one key for both scopes is a warning", () => {
  expect(
    warningsOf('[server]\nclient_key = "${K}"\nadmin_key = "${K}"', { env: { K: "k" } }),
  ).toEqual([
    "veriroute.toml:2:1: server.client_key: is the same as `admin_key`, so every client is an administrator; use two different keys",
  ]);
});

describe("permissions of the file", () => {
  test.each<{ mode: number; text: string; warnings: string[] }>([
    { mode: 0o600, text: '[server]\nadmin_key = "s"', warnings: [] },
    {
      mode: 0o644,
      text: '[server]\nadmin_key = "s"',
      warnings: [
        "veriroute.toml:2:1: server.admin_key: other users can read this secret (mode 0644); run `chmod 600` on it, or use `${VAR}` or `file:/path`",
      ],
    },
    { mode: 0o644, text: '[server]\nadmin_key = "${K}"\nclient_key = "file:/k"', warnings: [] },
    {
      mode: 0o666,
      text: "",
      warnings: [
        "veriroute.toml: other users can change this file (mode 0666); run `chmod 600` on it",
      ],
    },
  ])("mode $mode with $text", ({ mode, text, warnings }) => {
    const given = { mode, env: { K: "k" }, files: { "/k": "c" } };

    expect(problemsOf(text, given)).toEqual([]);
    expect(warningsOf(text, given)).toEqual(warnings);
  });
});
