import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Trip } from "../../../../src/health/breaker.ts";
import { type Answer, type SignatureRig, signatureRig } from "../../../support/signature-rig.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const TARGET = "box:m";

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** A target that was benched a moment ago. */
function tripped(answer: Answer = "empty_200"): SignatureRig {
  const rig = signatureRig();
  for (const one of times(8, answer)) if (rig.trips.list().length === 0) rig.answer(TARGET, one);
  return rig;
}

function tripOf({ trips }: SignatureRig): Trip {
  const [trip, ...others] = trips.list();
  if (trip === undefined || others.length > 0) throw new Error("expected one open trip");
  return trip;
}

const waitFor = (rig: SignatureRig) => rig.clock.move(tripOf(rig).until_at - rig.clock.now());
const kinds = ({ notices }: SignatureRig) => notices.map(({ kind }) => kind);

describe("a half-open trip", () => {
  test("closes after five clean answers, and says so once", () => {
    const rig = tripped();
    waitFor(rig);

    const progress = times(5, "ok").map((answer) => {
      rig.answer(TARGET, answer);
      return rig.trips.list()[0]?.clean ?? "closed";
    });

    expect(progress).toEqual([1, 2, 3, 4, "closed"]);
    expect(kinds(rig)).toEqual(["signature_warning", "breaker_opened", "breaker_closed"]);
    expect(rig.saved.trips.size).toBe(0);
  });

  test("opens again for twice as long after one bad answer, up to 30 minutes", () => {
    const rig = tripped();

    const benches = times(7, "empty_200").map((answer) => {
      const { opened_at, until_at } = tripOf(rig);
      waitFor(rig);
      rig.answer(TARGET, "ok");
      rig.answer(TARGET, answer);
      return (until_at - opened_at) / MINUTE;
    });

    expect(benches).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(tripOf(rig)).toMatchObject({
      reopened: 7,
      detail: "its trial failed after 1 clean answers",
    });
  });

  test("counts from the start again after an answer that is bad in another way", () => {
    const rig = tripped();
    waitFor(rig);
    for (const answer of times(4, "ok")) rig.answer(TARGET, answer);

    rig.answer(TARGET, "doubled_output");

    expect(tripOf(rig)).toMatchObject({ reopened: 0, clean: 0 });
  });

  test.each<{ name: string; answer: Answer }>([
    { name: "an answer that nobody can judge", answer: "unverifiable" },
    { name: "an answer that the client cut short", answer: "client_capped_text" },
  ])("is left as it is by $name", ({ answer }) => {
    const rig = tripped();
    waitFor(rig);
    const before = tripOf(rig);

    rig.answer(TARGET, answer);

    expect(tripOf(rig)).toBe(before);
  });

  test("learns nothing from calls that began while it was open", () => {
    const rig = tripped();
    const started_at = rig.clock.now() + 1;
    waitFor(rig);
    const before = tripOf(rig);

    for (const answer of ["ok", "empty_200"]) rig.answer(TARGET, answer, { started_at });

    expect(tripOf(rig)).toBe(before);
  });
});

describe("weak evidence", () => {
  const stream = { stream: true };

  test("a stream is a full trial where the signature shows before the client sees anything", () => {
    const rig = tripped("empty_200");
    waitFor(rig);

    for (const answer of times(5, "ok")) rig.answer(TARGET, answer, stream);

    expect(rig.trips.list()).toEqual([]);
  });

  test("a stream counts for other signatures once none but streams came for twice the bench", () => {
    const rig = tripped("doubled_output");
    waitFor(rig);

    rig.answer(TARGET, "ok", stream);
    const early = tripOf(rig).clean;
    rig.clock.move(2 * MINUTE);
    rig.answer(TARGET, "ok", stream);

    expect([early, tripOf(rig).clean]).toEqual([undefined, 1]);
  });

  test("a bad stream is bad whenever it comes", () => {
    const rig = tripped("doubled_output");
    waitFor(rig);

    rig.answer(TARGET, "doubled_output", stream);

    expect(tripOf(rig).reopened).toBe(1);
  });

  test("an answer in plain ASCII does not show that an encoding is whole again", () => {
    const rig = tripped("mojibake");
    const ascii = { prompt: true, answer: true };
    waitFor(rig);

    for (const answer of times(9, "ok")) rig.answer(TARGET, answer, { ascii });
    const early = tripOf(rig).clean;
    for (const answer of times(5, "ok")) rig.answer(TARGET, answer);

    expect([early, rig.trips.list()]).toEqual([undefined, []]);
  });
});

/** A target whose trip has just closed. */
function recovered(): SignatureRig {
  const rig = tripped();
  waitFor(rig);
  for (const answer of times(5, "ok")) rig.answer(TARGET, answer);
  return rig;
}

describe("probation", () => {
  test("two bad answers suffice, and the bench goes on where it was", () => {
    const rig = recovered();

    for (const answer of times(2, "empty_200")) rig.answer(TARGET, answer);

    const { opened_at, until_at, reopened } = tripOf(rig);
    expect([reopened, (until_at - opened_at) / MINUTE]).toEqual([1, 2]);
  });

  test("is over after fifty answers: then three are needed", () => {
    const rig = recovered();
    for (const answer of times(50, "ok")) rig.answer(TARGET, answer);

    for (const answer of times(2, "empty_200")) rig.answer(TARGET, answer);

    expect(rig.trips.list()).toEqual([]);
  });

  test("the length of the last bench is forgotten after a hundred clean answers", () => {
    const rig = recovered();
    for (const answer of times(100, "ok")) rig.answer(TARGET, answer);

    for (const answer of times(6, "empty_200")) rig.answer(TARGET, answer);

    expect(tripOf(rig).reopened).toBe(0);
  });

  test("holds answers back a little longer, as does any suspicion", () => {
    const target = { instance: "box", model: "m", params: {} };
    const rig = signatureRig();
    const states = [rig.watch.isSuspected(target)];
    for (const answer of times(2, "empty_200")) rig.answer(TARGET, answer);
    states.push(rig.watch.isSuspected(target));
    for (const answer of times(2, "empty_200")) rig.answer(TARGET, answer);
    waitFor(rig);
    states.push(rig.watch.isSuspected(target));
    for (const answer of times(5, "ok")) rig.answer(TARGET, answer);
    states.push(rig.watch.isSuspected(target));
    for (const answer of times(50, "ok")) rig.answer(TARGET, answer);
    states.push(rig.watch.isSuspected(target));

    expect(states).toEqual([false, true, true, true, false]);
  });
});

describe("a restart", () => {
  test("keeps trip, progress, baseline and what is left of the probation", () => {
    const rig = tripped();
    waitFor(rig);
    rig.answer(TARGET, "ok");
    rig.watch.save();
    const kept = {
      tallies: [...rig.saved.tallies.values()],
      openTrips: [...rig.saved.trips.values()],
    };

    const next = signatureRig({ clock: rig.clock, ...kept });
    for (const answer of times(4, "ok")) next.answer(TARGET, answer);

    expect(next.trips.list()).toEqual([]);
    expect(next.watch.suspicions()).toMatchObject([{ signature: "empty_200", probation: 50 }]);
  });

  test("with a clock that was set back a day neither benches for longer nor forgets", () => {
    const rig = tripped();
    rig.watch.save();
    const kept = {
      tallies: [...rig.saved.tallies.values()],
      openTrips: [...rig.saved.trips.values()],
    };
    rig.clock.move(-24 * 60 * MINUTE);

    const next = signatureRig({ clock: rig.clock, ...kept });

    expect(tripOf(next).until_at - rig.clock.now()).toBeLessThanOrEqual(33 * MINUTE);
    expect(next.watch.suspicions()).toMatchObject([{ signature: "empty_200" }]);
  });
});

describe("by hand", () => {
  const subject = { scope: "target", subject: TARGET, instance: "box" } as const;

  test("a trip opens, and recovers like any other", () => {
    const rig = signatureRig();

    const trip = rig.watch.trip(subject, "empty_200", "a drill");
    waitFor(rig);
    for (const answer of times(5, "ok")) rig.answer(TARGET, answer);

    expect(trip).toMatchObject({ cause: "signature:empty_200", detail: "a drill" });
    expect(rig.trips.list()).toEqual([]);
  });

  test("a clear lifts the trip and drops the charge, and says how many", () => {
    const rig = tripped();

    expect([rig.watch.clear(subject, "mojibake"), rig.watch.clear(subject, null)]).toEqual([0, 1]);
    expect(rig.trips.list()).toEqual([]);
    for (const answer of times(2, "empty_200")) rig.answer(TARGET, answer);
    expect(rig.trips.list()).toEqual([]);
  });

  test("a mute lifts the trip it is about", () => {
    const rig = tripped();
    rig.mutes.push({
      id: "1",
      scope: "provider",
      subject: "box",
      signature: null,
      reason: "known",
      created_at: 0,
      until_at: null,
    });

    rig.watch.applyMutes();

    expect(rig.trips.list()).toEqual([]);
  });

  test("what another process took out of the store is lifted", () => {
    const rig = tripped();

    rig.watch.dropped([{ scope: "target", subject: TARGET, cause: "signature:empty_200" }]);

    expect(rig.trips.list()).toEqual([]);
  });
});

test("whatever the answers, a bench never lasts longer than its cap and no trip is lost", () => {
  const answer = fc.constantFrom<Answer>(
    "ok",
    "empty_200",
    "mojibake",
    "unverifiable",
    "refusal_text",
  );
  const step = fc.record({ answer, wait_ms: fc.integer({ min: 0, max: 5 * MINUTE }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const rig = signatureRig();
      for (const one of steps) {
        rig.clock.move(one.wait_ms);
        rig.answer(TARGET, one.answer);
        for (const { opened_at, until_at } of rig.trips.list()) {
          expect(until_at - opened_at).toBeLessThanOrEqual(33 * MINUTE);
        }
        const open = rig.trips.list().map(({ subject, cause }) => `${subject} ${cause}`);
        expect([...rig.saved.trips.keys()].toSorted()).toEqual(open.toSorted());
      }
    }),
    { numRuns: 60 },
  );
});
