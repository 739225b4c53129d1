import { expect, test } from "bun:test";
import { existsSync } from "node:fs";

import * as fc from "fast-check";

import { verifyOutput } from "../../src/verify/inspect-output.ts";
import { SIGNATURES } from "../../src/verify/signatures/table.ts";
import { LABELLED_OUTPUTS, LOOK_ALIKES } from "../support/labelled-outputs.ts";

const LINES = [...LABELLED_OUTPUTS, ...LOOK_ALIKES].map(({ line }) => line);
const JUDGED = LINES.map((line) => verifyOutput(line));

/** What `inspect output` cannot be told of: whether the bytes had U+FFFD in them. */
const NOT_INSPECTED = new Set(["self_inflicted"]);

test("every signature has one name and one file of that name", () => {
  const names = SIGNATURES.map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length);
  expect(
    names.filter((name) => !existsSync(`src/verify/signatures/${name.replaceAll("_", "-")}.ts`)),
  ).toEqual([]);
});

test.each(SIGNATURES.filter(({ name }) => !NOT_INSPECTED.has(name)))(
  "$name hits some output, and keeps what it promises of scope and trips",
  ({ name, scope, trips }) => {
    const hits = JUDGED.filter((judged) => "verdict" in judged && judged.signature === name);

    expect(hits.length).toBeGreaterThan(0);
    for (const hit of hits) {
      if (!("verdict" in hit)) continue;
      expect([null, scope]).toContain(hit.scope);
      expect(hit.trips && !trips).toBe(false);
      // What counts is attributable, and counts against somebody.
      expect(hit.trips && (!hit.attributable || hit.scope === null)).toBe(false);
    }
  },
);

test("a signature that may count does", () => {
  const counted = JUDGED.filter((judged) => "verdict" in judged && judged.trips);
  const names = new Set(counted.map((judged) => "verdict" in judged && judged.signature));

  expect(SIGNATURES.filter(({ name, trips }) => trips && !names.has(name))).toEqual([]);
});

test("the outputs of a good model trip nothing", () => {
  const good = LABELLED_OUTPUTS.filter(({ expected }) => expected.verdict === "ok");

  expect(good.length).toBeGreaterThan(60);
  expect(
    good
      .map(({ line }) => verifyOutput(line))
      .filter((judged) => "trips" in judged && judged.trips),
  ).toEqual([]);
});

test("no verdict has a word of prompt or output in it", () => {
  const marker = "xq7zmarker";
  const schema = { type: "object", properties: { [marker]: { type: "integer" } } };
  fc.assert(
    fc.property(fc.constantFrom(...LINES), fc.nat(), (line, place) => {
      const { completion = "" } = line;
      const at = place % (completion.length + 1);
      const judged = verifyOutput({
        ...line,
        id: 1,
        prompt: `${line.prompt ?? ""} ${marker}`,
        completion: `${completion.slice(0, at)} ${marker} ${completion.slice(at)}`,
      });

      expect(JSON.stringify(judged)).not.toContain(marker);
    }),
    { numRuns: 2_000 },
  );
  const broken = {
    prompt: "x",
    completion: `{"${marker}":"${marker}"}`,
    extra: { response_format: { type: "json_schema", schema } },
  };

  expect(verifyOutput(broken)).toMatchObject({ signature: "schema_violation" });
  expect(JSON.stringify(verifyOutput(broken))).not.toContain(marker);
});

test("no output throws, whatever it is", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "<|",
      "|>",
      "`",
      "```",
      "<think>",
      "</think>",
      "<0x",
      "\u00C3",
      "\uFFFD",
      "{",
      '"',
      "[",
      "\uD800",
      "\n",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 400 }), (pieces, times) => {
      expect(
        verifyOutput({ id: 1, completion: pieces.join("").repeat(times).slice(0, 40_000) }),
      ).toHaveProperty("verdict");
    }),
    { numRuns: 300 },
  );
});

test.each([
  { name: "blanks", text: " ".repeat(200_000) },
  { name: "back-ticks", text: "`".repeat(200_000) },
  { name: "open tokens", text: "<|".repeat(100_000) },
  { name: "open tags", text: "<think".repeat(40_000) },
  { name: "apologies", text: "I'm sorry, I am sorry, so sorry, ".repeat(6_000) },
  { name: "braces", text: "{".repeat(200_000) },
  { name: "quotes", text: `{"name":${'"'.repeat(200_000)}` },
  { name: "leads without continuation", text: "\u00E2\u0080".repeat(100_000) },
  { name: "punctuation", text: ",".repeat(200_000) },
])("$name without end are judged; a pattern that backtracks would not return", ({ text }) => {
  const extra = { tools: ["f"], response_format: { type: "json_object" } };

  expect(verifyOutput({ completion: text, prompt: text, extra })).toHaveProperty("verdict");
});
