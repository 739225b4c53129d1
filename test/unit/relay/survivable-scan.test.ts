import { expect, test } from "bun:test";

import type { AnswerScan } from "../../../src/relay/answer-scan.ts";
import { survivable } from "../../../src/relay/survivable-scan.ts";

const ENDED = { choices: new Map(), usage: null, is_done: true, is_client_gone: false };

function broken(): never {
  throw new RangeError("a bug of ours");
}

const SOUND: AnswerScan = {
  push: () => undefined,
  suspicion: () => null,
  isStartKnown: () => false,
  end: broken,
};

test.each([
  { step: "push", use: (scan: AnswerScan) => scan.push(0, "text", new Uint8Array()) },
  { step: "suspicion", use: (scan: AnswerScan) => scan.suspicion() },
  { step: "isStartKnown", use: (scan: AnswerScan) => scan.isStartKnown() },
  { step: "end", use: (scan: AnswerScan) => scan.end(ENDED) },
])("a scan that breaks in $step is told once and leaves the answer unjudged", ({ step, use }) => {
  const faults: unknown[] = [];
  const scan = survivable({ ...SOUND, [step]: broken }, (error) => void faults.push(error));

  use(scan);

  expect(scan.isStartKnown()).toBe(true);
  expect(scan.suspicion()).toBeNull();
  expect(scan.end(ENDED).verdict).toMatchObject({ verdict: "unverifiable", trips: false });
  expect(faults).toEqual([new RangeError("a bug of ours")]);
});

test("a sound scan is passed through", () => {
  const scan = survivable(SOUND, broken);

  expect(scan.isStartKnown()).toBe(false);
  expect(scan.suspicion()).toBeNull();
});
