import { describe, expect, test } from "bun:test";

import { seededRandom } from "../../../../src/lib/random.ts";
import { type SignatureRig, signatureRig } from "../../../support/signature-rig.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const ILL = "nim:nemotron-3-nano-omni-30b-a3b-reasoning:free";
const NEIGHBOURS = ["nim:deepseek-v4-flash", "openrouter:qwen3.6-35b", "openrouter:glm-5.3-flash"];

const subjects = ({ trips }: SignatureRig) => trips.list().map(({ subject }) => subject);

/** The answers of the 45 minutes: 38 empty ones among 108 of one target, its neighbours' all fine. */
function incident(seed: number): { readonly target: string; readonly answer: string }[] {
  const random = seededRandom(seed);
  const ill = [
    ...Array.from({ length: 38 }, () => ({ target: ILL, answer: "empty_200" })),
    ...Array.from({ length: 70 }, () => ({ target: ILL, answer: "ok" })),
  ];
  const counts = [8, 18, 2];
  const well = NEIGHBOURS.flatMap((target, index) =>
    Array.from({ length: counts[index] ?? 0 }, () => ({ target, answer: "ok" })),
  );
  return [...ill, ...well]
    .map((call) => ({ call, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ call }) => call);
}

/** Calls of the ill target until it trips, and whoever else trips until the end. */
function replay(seed: number): { readonly calls: number; readonly others: readonly string[] } {
  const rig = signatureRig();
  const others = new Set<string>();
  let [calls, tripped] = [0, 0];
  for (const { target, answer } of incident(seed)) {
    rig.clock.move((25 * MINUTE) / 136);
    rig.answer(target, answer);
    if (target === ILL) calls++;
    if (tripped === 0 && subjects(rig).includes(ILL)) tripped = calls;
    for (const subject of subjects(rig)) if (subject !== ILL) others.add(subject);
  }
  return { calls: tripped, others: [...others] };
}

describe("a target that answers 35.2 % of its calls with nothing, all with status 200", () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);
  const replays = seeds.map((seed) => replay(seed));
  const calls = replays.map((one) => one.calls).toSorted((a, b) => a - b);

  test("trips in every order of its answers, within about 20 calls as a rule", () => {
    expect(calls[0]).toBeGreaterThan(2);
    expect(calls[100]).toBeLessThanOrEqual(14);
    expect(calls.filter((count) => count <= 20).length).toBeGreaterThan(160);
    expect(calls.at(-1)).toBeLessThan(60);
  });

  test("takes neither its neighbours nor any provider along", () => {
    expect(replays.flatMap(({ others }) => others)).toEqual([]);
  });
});

test("answers that nobody can judge leave it to the others to decide", () => {
  const rig = signatureRig();

  for (let n = 0; n < 70; n++) rig.answer(ILL, "unverifiable");
  for (let n = 0; n < 4; n++) rig.answer(ILL, "empty_200");

  expect(subjects(rig)).toEqual([ILL]);
});

test("a mangled encoding benches the one instance that serves several models, as one incident", () => {
  const rig = signatureRig();
  const models = Array.from({ length: 11 }, (_, n) => `neuralwatt:model-${n}`);

  for (const model of models) {
    rig.clock.move(SECOND);
    rig.answer(model, "mojibake");
  }

  expect(rig.trips.list()).toMatchObject([
    { scope: "provider", subject: "neuralwatt", cause: "signature:mojibake", reopened: 0 },
  ]);
});

test("a mangled encoding of one model out of several benches that model", () => {
  const rig = signatureRig();

  for (let n = 0; n < 12; n++) {
    rig.clock.move(10 * SECOND);
    rig.answer("box:fine", "ok");
    rig.answer("box:broken", "mojibake");
  }

  expect(rig.trips.list()).toMatchObject([{ scope: "target", subject: "box:broken" }]);
});

test("once a second model mangles, the whole instance is benched at once", () => {
  const rig = signatureRig();
  for (let n = 0; n < 12; n++) {
    rig.clock.move(10 * SECOND);
    rig.answer("box:fine", "ok");
    rig.answer("box:broken", "mojibake");
  }

  for (let n = 0; n < 4; n++) rig.answer("box:fine", "mojibake");

  expect(subjects(rig).toSorted()).toEqual(["box", "box:broken"]);
});
