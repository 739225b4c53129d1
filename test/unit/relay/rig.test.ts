import { describe, expect, test } from "bun:test";

import type { HealthNotice } from "../../../src/health/notices.ts";
import { decodeStream } from "../../../src/relay/decode-stream.ts";
import { type Decode, testDecoding } from "../../../src/verify/self-test.ts";
import { signatureRig } from "../../support/signature-rig.ts";

test("the router reads a known stream as it was written, however it is cut", () => {
  expect(testDecoding(decodeStream)).toEqual({ ok: true });
});

const careless: Decode = (chunks) =>
  decodeStream(chunks.map((chunk) => new TextEncoder().encode(new TextDecoder().decode(chunk))));

test("the self-test finds a reader that decodes chunk by chunk", () => {
  expect(testDecoding(careless)).toMatchObject({ ok: false, fault: "lost" });
});

const SELF_TEST: HealthNotice = { kind: "rig_suspected", signature: "self_test", instances: [] };

describe("while the router's own decoding is broken", () => {
  test("that is told at the start", () => {
    expect(signatureRig({ isDecodingSound: () => false }).notices).toEqual([SELF_TEST]);
  });

  test("no broken encoding trips anything, and the rest does", () => {
    let isSound = true;
    const rig = signatureRig({ isDecodingSound: () => isSound });
    isSound = false;

    for (let n = 0; n < 6; n++) rig.answer("a:m", "mojibake");
    for (let n = 0; n < 6; n++) rig.answer("b:m", "empty_200");

    expect(rig.trips.list().map(({ subject }) => subject)).toEqual(["b:m"]);
    expect(rig.notices).toContainEqual(SELF_TEST);
    expect(rig.notices).toContainEqual(
      expect.objectContaining({ kind: "trip_withheld", why: "rig_suspected" }),
    );
  });
});

test("characters that the router itself broke raise an alarm, not every time, and are held against nobody", () => {
  const rig = signatureRig();

  for (let n = 0; n < 5; n++) rig.answer("a:m", "self_inflicted");
  rig.clock.move(11 * 60_000);
  rig.answer("a:m", "self_inflicted");

  const alarm = { kind: "rig_suspected", signature: "self_inflicted", instances: ["a"] };
  expect(rig.notices).toEqual<unknown>([alarm, alarm]);
  expect(rig.watch.suspicions()).toEqual([]);
});
