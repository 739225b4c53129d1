import { expect, test } from "bun:test";

import { parseDuration, readableDuration } from "../../../src/lib/durations.ts";

test.each([
  { text: "45m", ms: 2_700_000 },
  { text: "1h30m", ms: 5_400_000 },
  { text: "0.5s", ms: 500 },
  { text: "250ms", ms: 250 },
  { text: "2d", ms: 172_800_000 },
  { text: "0s", ms: 0 },
  { text: "45", ms: undefined },
  { text: "-1s", ms: undefined },
  { text: "1 h", ms: undefined },
  { text: "", ms: undefined },
])("`$text` lasts $ms ms", ({ text, ms }) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  { ms: 0, says: "0 s" },
  { ms: -5, says: "0 s" },
  { ms: 1, says: "1 s" },
  { ms: 59_001, says: "1 min" },
  { ms: 61_000, says: "1 min 1 s" },
  { ms: 3_600_000, says: "1 h" },
  { ms: 3_601_000, says: "1 h" },
  { ms: 3_661_000, says: "1 h 1 min" },
  { ms: 90_061_000, says: "1 d 1 h" },
  { ms: 86_400_000 * 30, says: "30 d" },
])("$ms ms read as $says", ({ ms, says }) => {
  expect(readableDuration(ms)).toBe(says);
});
