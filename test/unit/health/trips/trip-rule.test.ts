import { describe, expect, test } from "bun:test";

import { type Answer, type SignatureRig, signatureRig } from "../../../support/signature-rig.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const TARGET = "box:m";

const causes = ({ trips }: SignatureRig) => trips.list().map(({ cause }) => cause);
const subjects = ({ trips }: SignatureRig) =>
  trips.list().map(({ scope, subject }) => `${scope} ${subject}`);
const kinds = ({ notices }: SignatureRig) => notices.map(({ kind }) => kind);

function play(rig: SignatureRig, answers: readonly Answer[], every_ms = 6 * SECOND): void {
  for (const answer of answers) {
    rig.clock.move(every_ms);
    rig.answer(TARGET, answer);
  }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** A target that has answered well for a day. */
function settled(): SignatureRig {
  const rig = signatureRig();
  play(rig, times(600, "ok"), 2.5 * MINUTE);
  return rig;
}

describe("one bad answer is noise", () => {
  test.each<{ answers: Answer[]; trips: boolean; warns: boolean }>([
    { answers: ["empty_200"], trips: false, warns: false },
    { answers: ["empty_200", "empty_200"], trips: false, warns: true },
    { answers: ["empty_200", "empty_200", "empty_200"], trips: true, warns: true },
    { answers: ["mojibake"], trips: false, warns: false },
    { answers: ["mojibake", "mojibake"], trips: true, warns: false },
  ])("$answers on a clean record trips: $trips", ({ answers, trips, warns }) => {
    const rig = settled();

    play(rig, answers);

    expect(causes(rig)).toEqual(trips ? [`signature:${answers[0]}`] : []);
    expect(kinds(rig).includes("signature_warning")).toBe(warns);
  });

  test("spread over a day a few of them trip nothing", () => {
    const rig = settled();

    for (let n = 0; n < 10; n++) play(rig, [...times(60, "ok"), "empty_200"], MINUTE);

    expect(causes(rig)).toEqual([]);
  });
});

test("a fault that is usual here is no news: what trips a clean target does not trip this one", () => {
  const rig = signatureRig();
  for (let n = 0; n < 60; n++) play(rig, ["empty_200", ...times(15, "ok")], 90 * SECOND);
  const warned = kinds(rig).length;

  play(rig, ["empty_200", "empty_200"]);

  expect(causes(rig)).toEqual([]);
  expect(kinds(rig)).toHaveLength(warned);
});

test("without a baseline it takes one more bad answer", () => {
  const rig = signatureRig();

  play(rig, times(3, "empty_200"));
  const before = causes(rig);
  play(rig, ["empty_200"]);

  expect([before, causes(rig)]).toEqual([[], ["signature:empty_200"]]);
});

describe("what does not count", () => {
  test.each<{ name: string; answer: Answer }>([
    { name: "an answer that nobody can judge", answer: "unverifiable" },
    { name: "an answer that the client cut short", answer: "client_capped_empty" },
    { name: "a client that left", answer: "client_aborted" },
    { name: "one character that may be mangled", answer: "mojibake_single" },
  ])("$name", ({ answer }) => {
    const rig = signatureRig();

    const counted = times(50, answer).map((one) => rig.answer(TARGET, one));

    expect(counted).toEqual(times(50, false));
    expect(rig.watch.suspicions()).toEqual([]);
  });

  test("a mangled answer to a prompt that may have brought it along", () => {
    const rig = signatureRig();
    const verdict = { verdict: "mangled", signature: "mojibake", scope: "provider" } as const;

    for (let n = 0; n < 50; n++) {
      rig.watch.observe({
        target: { instance: "box", model: "m" },
        verdict: { ...verdict, trips: false, attributable: false },
        stream: false,
        ascii: { prompt: false, answer: false },
        started_at: rig.clock.now(),
        origin: null,
      });
    }

    expect(rig.watch.suspicions()).toEqual([]);
  });

  test("a refusal says nothing against a target, but it is an answer", () => {
    const rig = signatureRig();

    expect(rig.answer(TARGET, "refusal_text")).toBe(true);
    expect(rig.watch.suspicions()).toEqual([]);
  });

  test("a clean answer after a prompt beyond ASCII, for encodings only", () => {
    const rig = settled();
    rig.answer(TARGET, "mojibake");
    const [before] = rig.watch.suspicions();

    for (let n = 0; n < 100; n++) {
      rig.answer(TARGET, "ok", { ascii: { prompt: false, answer: false } });
    }

    expect(rig.watch.suspicions()).toEqual(before ? [before] : []);
  });
});

describe("one client that repeats itself", () => {
  test("is one witness for ten minutes", () => {
    const rig = settled();

    for (let n = 0; n < 40; n++) rig.answer(TARGET, "empty_200", { origin: "one" });

    expect(causes(rig)).toEqual([]);
  });

  test("is heard again after that", () => {
    const rig = settled();

    const heard = times(3, "empty_200").map((answer) => {
      rig.clock.move(10 * MINUTE);
      return rig.answer(TARGET, answer, { origin: "one" });
    });

    expect(heard).toEqual([true, true, true]);
    expect(causes(rig)).toEqual(["signature:empty_200"]);
  });

  test("does not speak for the others", () => {
    const rig = settled();

    for (const origin of ["one", "two", "three"]) rig.answer(TARGET, "empty_200", { origin });

    expect(causes(rig)).toEqual(["signature:empty_200"]);
  });
});

test("a case rests after two hours without an answer", () => {
  const rig = settled();
  play(rig, ["empty_200", "empty_200"]);

  rig.clock.move(121 * MINUTE);
  play(rig, ["empty_200"]);

  expect(causes(rig)).toEqual([]);
  expect(rig.watch.suspicions()).toMatchObject([{ hits: 1 }]);
});

test("an old incident is forgiven: after a day without it nothing is left of it", () => {
  const rig = settled();
  play(rig, ["empty_200", "empty_200"]);

  play(rig, times(2000, "ok"), MINUTE);

  expect(rig.watch.suspicions()).toEqual([]);
});

test("signatures are counted apart: two of each make no case", () => {
  const rig = settled();

  play(rig, ["empty_200", "chat_template_leak", "empty_200", "chat_template_leak"]);

  expect(causes(rig)).toEqual([]);
});

describe("a trip that is due but does not happen", () => {
  test.each<{ why: string; verifier: object }>([
    { why: "observing", verifier: { mode: "observe" } },
    { why: "ignored", verifier: { ignore: ["empty_200"] } },
  ])("$why", ({ why, verifier }) => {
    const rig = signatureRig({ verifier });

    play(rig, times(8, "empty_200"));

    expect(causes(rig)).toEqual([]);
    const withheld = rig.notices.filter(({ kind }) => kind === "trip_withheld");
    expect(withheld).toMatchObject([
      { why, scope: "target", subject: TARGET, signature: "empty_200" },
      { why },
    ]);
  });

  test.each<{ subject: string; signature: string | null; trips: number }>([
    { subject: "box:m", signature: "empty_200", trips: 0 },
    { subject: "BOX", signature: null, trips: 0 },
    { subject: "box:other", signature: null, trips: 1 },
    { subject: "box:m", signature: "mojibake", trips: 1 },
  ])("$subject muted for $signature", ({ subject, signature, trips }) => {
    const rig = signatureRig();
    const about = { id: "1", scope: "target", reason: "r", created_at: 0 } as const;
    rig.mutes.push({ ...about, subject, signature, until_at: rig.clock.now() + HOUR });

    play(rig, times(8, "empty_200"));

    expect(causes(rig)).toHaveLength(trips);
  });

  test("a mute ends by its clock", () => {
    const rig = signatureRig();
    const about = { id: "1", scope: "target", reason: "r", created_at: 0 } as const;
    rig.mutes.push({ ...about, subject: TARGET, signature: null, until_at: rig.clock.now() });

    play(rig, times(4, "empty_200"));

    expect(causes(rig)).toEqual(["signature:empty_200"]);
  });
});

describe("two models of an instance that trip for the same", () => {
  test.each<{ name: string; answer: Answer; targets: string[]; pause: number; benched: string[] }>([
    {
      name: "streams that break off are their instance's",
      answer: "truncated_stream",
      targets: ["box:m", "BOX:other"],
      pause: MINUTE,
      benched: ["target box:m", "provider BOX"],
    },
    {
      name: "those of other instances are their own",
      answer: "truncated_stream",
      targets: ["box:m", "box-2:m"],
      pause: MINUTE,
      benched: ["target box:m", "target box-2:m"],
    },
    {
      name: "an hour after the first could serve again they are their own",
      answer: "truncated_stream",
      targets: ["box:m", "box:other"],
      pause: 2 * HOUR,
      benched: ["target box:m", "target box:other"],
    },
    {
      name: "empty answers are their own",
      answer: "empty_200",
      targets: ["box:m", "box:other"],
      pause: MINUTE,
      benched: ["target box:m", "target box:other"],
    },
  ])("$name", ({ answer, targets, pause, benched }) => {
    const rig = signatureRig();

    for (const target of targets) {
      for (let n = 0; n < 4; n++) rig.answer(target, answer);
      rig.clock.move(pause);
    }

    expect(subjects(rig)).toEqual(benched);
  });
});

test("memory does not grow with traffic", () => {
  const rig = signatureRig({ verifier: { mode: "observe" } });
  const sizeOf = () => {
    rig.watch.save();
    return JSON.stringify([...rig.saved.tallies.values()]).length;
  };
  for (let n = 0; n < 2000; n++) {
    rig.clock.move(MINUTE);
    rig.answer(TARGET, n % 9 === 0 ? "empty_200" : "ok", { origin: `client ${n}` });
  }
  const before = sizeOf();

  for (let n = 0; n < 8000; n++) {
    rig.clock.move(MINUTE);
    rig.answer(TARGET, n % 9 === 0 ? "empty_200" : "ok", { origin: `client ${n}` });
  }

  expect(sizeOf()).toBeLessThan(before * 1.2);
});
