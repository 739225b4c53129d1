import { expect, test } from "bun:test";

import { assert, constantFrom, property, string } from "fast-check";

import {
  proxyNotices,
  type ProxyRule,
  proxyRule,
  proxyWarnings,
} from "../../../src/upstream/proxy.ts";
import { sampleInstance } from "./samples.ts";

const REMOTE = "https://api.acme.example/v1";
const proxied = (url: string, variable: string) => ({ kind: "proxy" as const, url, variable });
const none = { kind: "none" as const };

test.each<{ target?: string; env: Record<string, string>; wants: ProxyRule }>([
  { env: {}, wants: none },
  {
    env: { HTTPS_PROXY: "http://proxy:3128" },
    wants: proxied("http://proxy:3128/", "HTTPS_PROXY"),
  },
  { env: { HTTPS_PROXY: "proxy:3128" }, wants: proxied("http://proxy:3128/", "HTTPS_PROXY") },
  {
    env: { HTTPS_PROXY: "http://a", https_proxy: "http://b" },
    wants: proxied("http://b/", "https_proxy"),
  },
  { env: { HTTP_PROXY: "http://a" }, wants: none },
  {
    target: "http://api.acme.example",
    env: { HTTP_PROXY: "http://a" },
    wants: proxied("http://a/", "HTTP_PROXY"),
  },
  { env: { ALL_PROXY: "http://a" }, wants: proxied("http://a/", "ALL_PROXY") },
  { env: { HTTPS_PROXY: "  " }, wants: none },
  {
    env: { HTTPS_PROXY: "socks5://a:1080" },
    wants: {
      kind: "unusable",
      variable: "HTTPS_PROXY",
      reason: "names a `socks5` proxy; only http(s) works",
    },
  },
  {
    env: { HTTPS_PROXY: "http://:::" },
    wants: { kind: "unusable", variable: "HTTPS_PROXY", reason: "is not a URL" },
  },
])("with $env a request gets $wants", ({ target = REMOTE, env, wants }) => {
  expect(proxyRule(new URL(target), env)).toEqual(wants);
});

test.each<{ list: string; target: string; exempt: boolean }>([
  { list: "*", target: REMOTE, exempt: true },
  { list: "acme.example", target: REMOTE, exempt: true },
  { list: ".acme.example", target: REMOTE, exempt: true },
  { list: "*.acme.example", target: REMOTE, exempt: true },
  { list: "ACME.example", target: REMOTE, exempt: true },
  { list: "cme.example", target: REMOTE, exempt: false },
  { list: "other.example, api.acme.example", target: REMOTE, exempt: true },
  { list: "api.acme.example:443", target: REMOTE, exempt: true },
  { list: "api.acme.example:8443", target: REMOTE, exempt: false },
  { list: "8.8.8.8", target: "https://8.8.8.8/v1", exempt: true },
  { list: "[2001:db8::1]:443", target: "https://[2001:db8::1]/v1", exempt: true },
  { list: "2001:db8::1", target: "https://[2001:db8::1]/v1", exempt: true },
  { list: "2001:DB8:0::1", target: "https://[2001:db8::1]/v1", exempt: true },
  { list: "8.8.8", target: "https://8.8.8.8/v1", exempt: false },
  { list: ".8.8.8.8", target: "https://8.8.8.8/v1", exempt: false },
  { list: "8.8.0.0/16", target: "https://8.8.8.8/v1", exempt: true },
  { list: "8.8.0.0/16", target: "https://8.9.8.8/v1", exempt: false },
  { list: "8.8.0.0/16", target: "https://134744072/v1", exempt: true },
  { list: "8.8.0.0/16", target: REMOTE, exempt: false },
  { list: "8.8.0.0/16:443", target: "https://8.8.8.8/v1", exempt: true },
  { list: "8.8.0.0/16:80", target: "https://8.8.8.8/v1", exempt: false },
  { list: "0.0.0.0/0", target: "https://8.8.8.8/v1", exempt: true },
  { list: "2001:db8::/32", target: "https://[2001:db8:5::1]/v1", exempt: true },
  { list: "[2001:db8::]/32", target: "https://[2001:db8:5::1]/v1", exempt: true },
  { list: "[2001:db8::]/32:8443", target: "https://[2001:db8:5::1]/v1", exempt: false },
  { list: "2001:db8::/32", target: "https://8.8.8.8/v1", exempt: false },
  {
    list: "8.8.8.8/33,8.8.8.8/,8.8.8.8/x,8.8.8.8/8/8",
    target: "https://8.8.8.8/v1",
    exempt: false,
  },
  { list: ",, ,", target: REMOTE, exempt: false },
])("NO_PROXY `$list` exempts $target: $exempt", ({ list, target, exempt }) => {
  const env = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: list };

  expect(proxyRule(new URL(target), env).kind).toBe(exempt ? "none" : "proxy");
});

test("the start-up line names the proxy's host and its users, never its password", () => {
  const proxy = "http://user:secret@proxy.corp:3128/";

  expect(
    proxyNotices([
      sampleInstance({ proxy }),
      sampleInstance({ name: "ollama" }),
      sampleInstance({ name: "groq", proxy }),
    ]),
  ).toEqual(["proxy.corp:3128, for acme, groq"]);
});

test("a proxy that cannot be followed is said once, and not at all for local instances", () => {
  const env = { HTTPS_PROXY: "socks5://user:secret@a:1080" };
  const remote = [sampleInstance(), sampleInstance({ name: "b" })];

  expect(proxyWarnings(remote, env)).toEqual([
    "`HTTPS_PROXY` names a `socks5` proxy; only http(s) works: remote providers are called directly",
  ]);
  expect(proxyWarnings([sampleInstance({ direct: true })], env)).toEqual([]);
});

test("no `NO_PROXY` breaks the start, whatever it says", () => {
  const url = constantFrom("https://8.8.8.8/v1", "https://[2001:db8::1]/v1", REMOTE);
  assert(
    property(
      url,
      string({ unit: constantFrom(..."0123456789abcdef.:/[]*, x\0é".split("")) }),
      (target, list) => {
        const { kind } = proxyRule(new URL(target), { ALL_PROXY: "http://proxy", NO_PROXY: list });

        expect(["none", "proxy"]).toContain(kind);
      },
    ),
  );
});
