import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  baseUrlProblem,
  isLoopbackHost,
  isMetadataHost,
  isPrivateHost,
} from "../../../src/config/base-url.ts";
import { problemsOf } from "./load.ts";

test.each([
  "http://127.0.0.1:8000/v1",
  "https://api.openai.com/v1",
  "https://api.openai.com/v1/",
  "http://box",
  "http://[::1]:8080/v1",
  "http://[fd12:3456::1]/v1",
  "http://[fd00:42::43]/v1",
  "http://[64:ff9b:1::a00:1]/v1",
  "http://10.0.0.7/v1",
  "http://0.0.0.0:11434/v1",
  "https://169.254.example.org/v1",
  "https://gateway.example.org/models-eu/v1",
])("%s can be a base URL", (url) => {
  expect(baseUrlProblem(url)).toBeUndefined();
});

test.each([
  "http://169.254.169.254/latest",
  "http://169.254.0.1/",
  "http://2852039166/",
  "http://0xA9FEA9FE/",
  "http://0xa9.0xfe.0xa9.0xfe/",
  "http://0251.0376.0251.0376/",
  "http://169.254.43518/",
  "http://169.16689662/",
  "http://169%2e254%2e169%2e254/",
  "http://１６９.254.169.254/",
  "http://169。254。169。254/",
  "http://169.254.169.254./",
  "http://[fe80::1]/",
  "http://[FEBF::1]/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
  "http://[::ffff:0:169.254.169.254]/",
  "http://[::169.254.169.254]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fd00:0ec2:0::0254]/",
  "http://[fd00:ec2::23]/",
  "http://[fd00:ec2:7::1]/",
  "http://[fd00:c1::a9fe:a9fe]/",
  "http://[fd00:42::42]/",
  "http://[64:ff9b:1::a9fe:a9fe]/",
  "http://[64:ff9b:1:7::a9fe:a9fe]/",
  "http://[fd20:ce::254]/",
  "http://100.100.100.200/",
  "http://[::ffff:100.100.100.200]/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://metadata.google.internal/",
  "http://METADATA.google.internal./",
  "http://metadata/",
  "http://instance-data/",
])("%s is refused as a link-local or metadata address", (url) => {
  expect(baseUrlProblem(url)?.message).toEndWith("is a link-local or cloud metadata address");
});

test("every spelling of a link-local address in one number is refused", () => {
  fc.assert(
    fc.property(fc.nat(0xff_ff), fc.constantFrom("", "0x", "0"), (low, base) => {
      const radix = { "": 10, "0x": 16, "0": 8 }[base];
      const number = (0xa9_fe_00_00 + low).toString(radix);
      expect(isMetadataHost(new URL(`http://${base}${number}/`).hostname)).toBe(true);
    }),
  );
});

test.each([
  { url: "box/v1", message: "is no URL" },
  { url: "localhost:8000/v1", message: "must start with `http://` or `https://`" },
  { url: "file:///etc/passwd", message: "must start with `http://` or `https://`" },
  { url: "http://user:pw@host/v1", message: "holds a user name or password" },
  { url: "http://user@host/v1", message: "holds a user name or password" },
  { url: "http://host/v1?key=1", message: "must end with its path, without `?` or `#`" },
  { url: "http://host/v1#", message: "must end with its path, without `?` or `#`" },
  { url: "http://host/v1/chat/completions", message: "names an endpoint, not the API's root" },
  { url: "http://host/v1/models/", message: "names an endpoint, not the API's root" },
])("$url is refused: $message", ({ url, message }) => {
  expect(baseUrlProblem(url)?.message).toBe(message);
});

test("the config says which instance has the bad address, and what to do", () => {
  const text = '[providers.box]\ntype = "vllm"\nbase_url = "http://h/v1/chat/completions"';

  expect(problemsOf(text)).toEqual([
    "veriroute.toml:3:1: providers.box.base_url: names an endpoint, not the API's root; leave out `/chat/completions`",
  ]);
});

describe("where a host is", () => {
  test.each([
    { host: "127.0.0.1", loopback: true, private: true },
    { host: "127.8.9.1", loopback: true, private: true },
    { host: "localhost", loopback: true, private: true },
    { host: "api.LOCALHOST.", loopback: true, private: true },
    { host: "::1", loopback: true, private: true },
    { host: "[::1]", loopback: true, private: true },
    { host: "0:0:0:0:0:0:0:1", loopback: true, private: true },
    { host: "2130706433", loopback: true, private: true },
    { host: "0.0.0.0", loopback: false, private: true },
    { host: "::", loopback: false, private: true },
    { host: "[::ffff:127.0.0.1]", loopback: true, private: true },
    { host: "::ffff:10.0.0.1", loopback: false, private: true },
    { host: "127.0.0.1:8484", loopback: false, private: false },
    { host: "", loopback: false, private: false },
    { host: "[::]", loopback: false, private: true },
    { host: "192.168.1.20", loopback: false, private: true },
    { host: "172.31.0.1", loopback: false, private: true },
    { host: "172.32.0.1", loopback: false, private: false },
    { host: "100.64.0.1", loopback: false, private: true },
    { host: "[fd12::1]", loopback: false, private: true },
    { host: "[2001:db8::1]", loopback: false, private: false },
    { host: "box", loopback: false, private: true },
    { host: "box.lan", loopback: false, private: true },
    { host: "127.evil.test", loopback: false, private: false },
    { host: "localhost.evil.test", loopback: false, private: false },
    { host: "1.1.1.1", loopback: false, private: false },
  ])("$host", ({ host, loopback, private: expected }) => {
    expect({ loopback: isLoopbackHost(host), private: isPrivateHost(host) }).toEqual({
      loopback,
      private: expected,
    });
  });
});
