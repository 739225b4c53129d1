import { describe, expect, test } from "bun:test";

import { type SignatureRig, signatureRig } from "../../../support/signature-rig.ts";

const MINUTE = 60_000;

const subjects = ({ trips }: SignatureRig) => trips.list().map(({ subject }) => subject);
const alarms = ({ notices }: SignatureRig) =>
  notices.filter(({ kind }) => kind === "rig_suspected");

function mangle(rig: SignatureRig, target: string, count = 6): void {
  for (let n = 0; n < count; n++) rig.answer(target, "mojibake");
}

describe("two unrelated upstreams that begin to mangle within ten minutes", () => {
  test("raise one alarm and bench nobody, not even the one that began", () => {
    const rig = signatureRig();

    mangle(rig, "a:m");
    const before = subjects(rig);
    rig.clock.move(5 * MINUTE);
    mangle(rig, "b:m");

    expect([before, subjects(rig)]).toEqual([["a"], []]);
    expect(alarms(rig)).toEqual([
      { kind: "rig_suspected", signature: "mojibake", instances: ["a", "b"] },
    ]);
  });

  test.each<{ name: string; hosts: Record<string, string>; wait_ms: number; signature: string }>([
    { name: "at one host", hosts: { a: "h", b: "h" }, wait_ms: MINUTE, signature: "mojibake" },
    { name: "an hour apart", hosts: {}, wait_ms: 60 * MINUTE, signature: "mojibake" },
    { name: "in different ways", hosts: {}, wait_ms: MINUTE, signature: "control_chars" },
  ])("$name are two faults", ({ hosts, wait_ms, signature }) => {
    const rig = signatureRig({ hosts });

    mangle(rig, "a:m");
    rig.clock.move(wait_ms);
    for (let n = 0; n < 6; n++) rig.answer("b:m", signature);

    expect(alarms(rig)).toEqual([]);
    expect(subjects(rig)).toEqual(["a", "b"]);
  });

  test("are believed again once the suspicion is half an hour old", () => {
    const rig = signatureRig();
    mangle(rig, "a:m", 1);
    mangle(rig, "b:m", 1);

    rig.clock.move(31 * MINUTE);
    mangle(rig, "a:m");

    expect(subjects(rig)).toEqual(["a"]);
  });
});

test("empty answers of two upstreams at once are their own fault", () => {
  const rig = signatureRig();

  for (const target of ["a:m", "b:m"]) for (let n = 0; n < 6; n++) rig.answer(target, "empty_200");

  expect(alarms(rig)).toEqual([]);
  expect(subjects(rig)).toEqual(["a:m", "b:m"]);
});
