import { expect, test } from "bun:test";

import { likelyName, nearestNames } from "../../../src/lib/nearest.ts";

const SECTIONS = "server providers pools aliases profiles routing catalog balances store log".split(
  " ",
);

test.each<{ name: string; known: readonly string[]; meant: string | undefined }>([
  { name: "prot", known: ["host", "port"], meant: "port" },
  { name: "hots", known: ["host", "port"], meant: "host" },
  { name: "LOGG", known: SECTIONS, meant: "log" },
  { name: "sevrer", known: SECTIONS, meant: "server" },
  { name: "windows", known: ["price", "window_tokens"], meant: "window_tokens" },
  { name: "canary", known: SECTIONS, meant: undefined },
  { name: "lanes", known: SECTIONS, meant: undefined },
  { name: "privacy", known: SECTIONS, meant: undefined },
  { name: "runtimes", known: SECTIONS, meant: undefined },
  { name: "setup", known: ["serve", "init"], meant: undefined },
  { name: "", known: SECTIONS, meant: undefined },
  { name: "__proto__", known: SECTIONS, meant: undefined },
])("`$name` is taken for $meant", ({ name, known, meant }) => {
  expect(likelyName(name, known)).toBe(meant);
});

test("a list of near names is more generous, nearest first, and no longer than asked for", () => {
  const known = ["gpt-5", "gpt-5-mini", "gpt-4.1", "o3", "gpt-5"];

  expect(nearestNames("gpt-55", known)).toEqual(["gpt-5", "gpt-5-mini", "gpt-4.1"]);
  expect(nearestNames("gpt-55", known, 1)).toEqual(["gpt-5"]);
  expect(nearestNames("llama", known)).toEqual([]);
});
