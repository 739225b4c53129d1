import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { explainingLine, squeeze } from "../../../../src/runtimes/colab/output.ts";
import { readUsage } from "../../../../src/runtimes/colab/read-usage.ts";
import { isTooOld, readVersion } from "../../../../src/runtimes/colab/read-version.ts";

test.each([
  {
    stdout: "Current balance: 289.81 compute units\nUsage rate: 1.54/hr\nActive assignments: 1\n",
    usage: { balance_cu: 289.81, rate_cu_h: 1.54, assignment_count: 1 },
  },
  {
    name: "behind a banner, in bold",
    stdout:
      "\n[colab] A new version of Colab CLI is available: 9 (current: 0.7.5)\n\n\u001B[1mCurrent balance: 1,289.81 compute units\u001B[0m\nUsage rate: 0.00/hr\nActive assignments: 0\n",
    usage: { balance_cu: 1289.81, rate_cu_h: 0, assignment_count: 0 },
  },
  { name: "without numbers", stdout: "Current balance: a lot\n", usage: null },
  {
    name: "without a count",
    stdout: "Current balance: 1.00 compute units\nUsage rate: 1.54/hr\n",
    usage: null,
  },
  { name: "of nothing", stdout: "", usage: null },
])("the balance $name is read", ({ stdout, usage }) => {
  expect(readUsage(stdout)).toEqual(usage);
});

test.each([
  { stdout: "Version: 0.7.5\n", version: "0.7.5" },
  { stdout: "Version: 0.8.0.dev1\r\n", version: "0.8.0.dev1" },
  { stdout: "colab-cli 3.1.0\n", version: null },
  { stdout: "The Version: 1.2.3 is out\n", version: null },
  { stdout: "", version: null },
])("a version is $version", ({ stdout, version }) => {
  expect(readVersion(stdout)).toBe(version);
});

test.each([
  { version: "0.7.4", old: false },
  { version: "0.7.3", old: true },
  { version: "0.6.0", old: true },
  { version: "0.10.0", old: false },
  { version: "1.0", old: false },
  { version: "0.7", old: true },
])("whether $version is too old: $old", ({ version, old }) => {
  expect(isTooOld(version)).toBe(old);
});

test("a text that is wrapped anywhere, in boxes and colours, squeezes to the same", () => {
  const text =
    "ColabRequestError: Failed to issue request POST https://x/tun/m/assign: Bad Gateway";
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), (width) => {
      const lines = text.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
      const boxed = lines
        .map((line) => `\u001B[31m│\u001B[0m ${line.padEnd(width)} │`)
        .join("\r\n");

      expect(squeeze(boxed)).toBe(squeeze(text));
    }),
  );
});

test.each([
  {
    name: "a plain traceback",
    text: 'Traceback (most recent call last):\n  File "x.py", line 1\ncolab_cli.client.ColabRequestError: no\n',
    line: "colab_cli.client.ColabRequestError: no",
  },
  {
    name: "noise behind the reason",
    text: "RuntimeError: CUDA out of memory\nCleaning up\n",
    line: "RuntimeError: CUDA out of memory",
  },
  {
    name: "a boxed usage error",
    text: "╭─ Error ─╮\n│ No such option: -x │\n╰────╯\n",
    line: "No such option: -x",
  },
  { name: "nothing", text: "\n \n", line: "" },
])("of $name the line that explains is told", ({ text, line }) => {
  expect(explainingLine(text)).toBe(line);
});
