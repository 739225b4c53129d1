import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { inspectError } from "../../../src/health/inspect-error.ts";

interface VendorError {
  readonly id: string;
  readonly vendor: string;
  /** More than one where two readings are defensible. */
  readonly kinds: readonly string[];
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const cases: VendorError[] = readFileSync(join(import.meta.dir, "vendor-errors.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const NOW = Date.UTC(2026, 8, 1);

test.each(cases)("$id of $vendor is one of $kinds", ({ kinds, ...line }) => {
  const judged = inspectError(line, NOW);

  expect(kinds).toContain("kind" in judged ? judged.kind : judged.error);
});

test.each(cases)("$id is judged the same when nobody names the vendor", (line) => {
  expect(inspectError({ ...line, vendor: null }, NOW)).toEqual(inspectError({ ...line }, NOW));
});
