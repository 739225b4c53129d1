import { expect, test } from "bun:test";

import { parseToml } from "../../../src/config/parse.ts";
import { formatProblem } from "../../../src/config/problem.ts";
import { problemsOf } from "./load.ts";

test.each([
  {
    name: "a text without quotes shows the line, since nothing in it is secret",
    text: "[server]\nhost = 127.0.0.1",
    problem: [
      'veriroute.toml:2:13: TOML syntax: illegal character in numeric literal; text values need quotes, as in `host = "127.0.0.1"`',
      "  2 | host = 127.0.0.1",
      "                  ^",
    ].join("\n"),
  },
  {
    name: "a key that could hold a secret keeps its line to itself",
    text: "[server]\nadmin_key = topsecret",
    problem:
      'veriroute.toml:2:13: TOML syntax: invalid value; text values need quotes, as in `host = "127.0.0.1"`',
  },
  {
    name: "the same key twice",
    text: '[store]\nretention = "1d"\nretention = "2d"',
    problem: [
      "veriroute.toml:3:1: TOML syntax: trying to redefine an already defined table or value; remove one of the two",
      '  3 | retention = "2d"',
      "      ^",
    ].join("\n"),
  },
  {
    name: "an integer that no number can hold",
    text: "server.port = 9223372036854775807",
    problem: "veriroute.toml:1:15: TOML syntax: integer value cannot be represented losslessly",
  },
])("$name", ({ text, problem }) => {
  expect(problemsOf(text)).toEqual([problem]);
});

test("a byte order mark and Windows line ends move no position", () => {
  expect(problemsOf("\uFEFF[server]\r\nport = 1\r\n\r\n[log]\r\nlevl = 1\r\n")).toEqual([
    "veriroute.toml:5:1: log.levl: unknown key; did you mean `level`?",
  ]);
});

test.each([
  { written: "[a.b]\nc = 1", path: ["a", "b", "c"], position: { line: 2, column: 1 } },
  { written: "[a]\nb.c = 1", path: ["a", "b", "c"], position: { line: 2, column: 3 } },
  { written: "a = { b = { c = 1 } }", path: ["a", "b", "c"], position: { line: 1, column: 13 } },
  { written: '["x y"]\n"1.2" = 1', path: ["x y", "1.2"], position: { line: 2, column: 1 } },
  {
    written: "[[a]]\nb = 1\n[[a]]\nb = 2",
    path: ["a", "1", "b"],
    position: { line: 4, column: 1 },
  },
  {
    written: "[a]\nb = [1,\n [2, 3]]",
    path: ["a", "b", "1", "1"],
    position: { line: 3, column: 6 },
  },
  { written: "[a]\nb = 1", path: ["a", "zzz"], position: { line: 1, column: 2 } },
  { written: "b = 1", path: ["zzz"], position: { line: 1, column: 1 } },
])("in $written the key $path stands at $position", ({ written, path, position }) => {
  const parsed = parseToml(written, "file");

  expect(parsed.ok && parsed.document.positionOf(path)).toEqual(position);
});

test("names that JavaScript objects inherit are ordinary keys", () => {
  expect(problemsOf('[aliases]\n"__proto__" = "pool:x"\nconstructor = "pool:y"')).toEqual([
    "veriroute.toml:2:1: aliases.__proto__: `__proto__` cannot be a name",
    "veriroute.toml:3:1: aliases.constructor: there is no pool `y`; no pool is defined",
  ]);
});

test("a problem is printed with what there is of place, key and advice", () => {
  const bare = { source: "VERIROUTE_X", line: null, column: null, path: "", message: "is off" };

  expect(formatProblem({ ...bare, hint: null })).toBe("VERIROUTE_X: is off");
  expect(formatProblem({ ...bare, path: "a.b", hint: "turn it on" })).toBe(
    "VERIROUTE_X: a.b: is off; turn it on",
  );
});
