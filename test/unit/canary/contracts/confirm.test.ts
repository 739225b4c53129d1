import { expect, test } from "bun:test";

import { confirm } from "../../../../src/canary/contracts/confirm.ts";
import type { ProbeResult } from "../../../../src/canary/contracts/contract.ts";

const RESULTS: Readonly<Record<string, ProbeResult>> = {
  P: "pass",
  F: "fail",
  I: "inconclusive",
  T: "transport",
};

test.each([
  { seen: "", comes: "ask_again" },
  { seen: "P", comes: "pass" },
  { seen: "I", comes: "inconclusive" },
  { seen: "T", comes: "transport" },
  { seen: "F", comes: "ask_again" },
  { seen: "FF", comes: "fail" },
  { seen: "FP", comes: "ask_again" },
  { seen: "FPP", comes: "pass" },
  { seen: "FPF", comes: "fail" },
  { seen: "FT", comes: "ask_again" },
  { seen: "FTF", comes: "fail" },
  { seen: "FIF", comes: "fail" },
  { seen: "FTT", comes: "transport" },
  { seen: "FIT", comes: "transport" },
  { seen: "FII", comes: "inconclusive" },
  { seen: "FPT", comes: "inconclusive" },
  { seen: "FIP", comes: "inconclusive" },
])("$seen comes to $comes", ({ seen, comes }) => {
  const verdicts = seen.split("").map((letter) => {
    const result = RESULTS[letter] ?? "pass";
    return { result, reason: result };
  });

  const confirmed = confirm(verdicts);

  expect(confirmed.kind === "decided" ? confirmed.verdict.result : confirmed.kind).toBe(comes);
});
