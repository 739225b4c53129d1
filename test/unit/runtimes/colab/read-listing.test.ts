import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { readListing } from "../../../../src/runtimes/colab/read-listing.ts";
import type { ListedSession } from "../../../../src/runtimes/listing.ts";

const T4 = {
  name: "s1",
  endpoint: "gpu-t4-s-kkb-usw1b1-36jsit0sm8axr",
  hardware: "T4",
  variant: "GPU",
};
const CPU = {
  name: null,
  endpoint: "m-s-kkb-usc1c0-3cickkby8ivx5",
  hardware: "CPU",
  variant: "DEFAULT",
};
const T4_LINE = `[s1] ${T4.endpoint} | Hardware: T4 | Variant: GPU`;
const T4_LINE_0_7 = `[s1] ${T4.endpoint} | Hardware: T4 | Shape: Standard | Variant: GPU`;
const CPU_LINE = `[?] ${CPU.endpoint} | Hardware: CPU | Shape: Standard | Variant: DEFAULT`;
const BANNER = [
  "",
  "[colab] A new version of Colab CLI is available: 9.9 (current: 0.7.5)",
  "[colab] Run 'uv tool install -U google-colab-cli' to update.",
  '[colab] To silence this check, set "enable_update_check": false in ~/.config/colab-cli/settings.json',
  "",
].join("\n");

test.each<{ name: string; stdout: string; sessions: ListedSession[] }>([
  { name: "0.6", stdout: `${T4_LINE}\n`, sessions: [T4] },
  { name: "0.7", stdout: `${T4_LINE_0_7}\n${CPU_LINE}\n`, sessions: [T4, CPU] },
  { name: "none", stdout: "[colab] No active sessions found on server.\n", sessions: [] },
  {
    name: "some forgotten, then none",
    stdout:
      "[colab] Pruned 1 stale local session(s).\n[colab] No active sessions found on server.\n",
    sessions: [],
  },
  { name: "a banner first", stdout: `${BANNER}\n${T4_LINE_0_7}\n`, sessions: [T4] },
  {
    name: "another order of fields and a new one",
    stdout: `[s1]  ${T4.endpoint} | Variant: GPU | Region: us | Hardware: t4\n`,
    sessions: [T4],
  },
  {
    name: "colours",
    stdout: `\u001B[1;32m[s1]\u001B[0m ${T4.endpoint} | Hardware: \u001B[33mT4\u001B[0m | Variant: GPU\n`,
    sessions: [T4],
  },
  {
    name: "a table",
    stdout: `┌──────┐\n│ ${T4_LINE} │\n├──────┤\n│ ${CPU_LINE} │\n└──────┘\n`,
    sessions: [T4, CPU],
  },
  { name: "line ends of Windows", stdout: `${T4_LINE}\r\n${CPU_LINE}\r\n`, sessions: [T4, CPU] },
  {
    name: "a session that is called `colab`",
    stdout: `[colab] ${T4.endpoint} | Hardware: T4 | Variant: GPU\n`,
    sessions: [{ ...T4, name: "colab" }],
  },
  {
    name: "a machine under two names",
    stdout: `${CPU_LINE}\n${CPU_LINE.replace("[?]", "[s2]")}\n`,
    sessions: [{ ...CPU, name: "s2" }],
  },
])("a listing with $name is read whole", ({ stdout, sessions }) => {
  expect(readListing(stdout)).toEqual({ sessions, doubt: null });
});

test.each<{ name: string; stdout: string; sessions: ListedSession[]; doubt: RegExp }>([
  { name: "nothing at all", stdout: "", sessions: [], doubt: /printed no list/ },
  { name: "only a banner", stdout: BANNER, sessions: [], doubt: /printed no list/ },
  {
    name: "a line of another shape",
    stdout: `${T4_LINE}\ns2 gpu-l4-s-kkb T4\n`,
    sessions: [T4],
    doubt: /one line of `colab sessions` could not be read/,
  },
  {
    name: "a session without hardware",
    stdout: `[s9] ${T4.endpoint}\n${CPU_LINE}\n`,
    sessions: [CPU],
    doubt: /could not be read/,
  },
  {
    name: "a session and the word that there is none",
    stdout: `${T4_LINE}\n[colab] No active sessions found on server.\n`,
    sessions: [T4],
    doubt: /says it has none/,
  },
])("a listing with $name proves no absence", ({ stdout, sessions, doubt }) => {
  const read = readListing(stdout);

  expect(read.sessions).toEqual(sessions);
  expect(read.doubt).toMatch(doubt);
});

const anyLine = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(T4_LINE, T4_LINE_0_7, CPU_LINE, "[colab] Pruned 2 stale local session(s)."),
  fc
    .record({ name: fc.string(), endpoint: fc.string(), hardware: fc.string() })
    .map((row) => `[${row.name}] ${row.endpoint} | Hardware: ${row.hardware}`),
);

test("T23: whatever is printed, reading it does not throw and no name has a bracket or a blank", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 30 }), (lines) => {
      for (const session of readListing(lines.join("\n")).sessions) {
        expect(session.name ?? "").not.toMatch(/[\]\s]/);
        expect(session.endpoint).toMatch(/^[A-Za-z0-9][\w.-]*$/);
      }
    }),
    { numRuns: 400 },
  );
});

test("a session is found whatever stands around it", () => {
  fc.assert(
    fc.property(fc.array(anyLine), fc.array(anyLine), (before, after) => {
      const stdout = [...before, T4_LINE_0_7, ...after].join("\n");

      expect(readListing(stdout).sessions.map(({ endpoint }) => endpoint)).toContain(T4.endpoint);
    }),
  );
});
