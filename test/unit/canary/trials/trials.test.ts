import { expect, test } from "bun:test";

import { buildProbe } from "../../../../src/canary/probes/probe.ts";
import { dueTrip, nameOfTrip } from "../../../../src/canary/trials/due-trip.ts";
import { trialObservation } from "../../../../src/canary/trials/observation.ts";
import { canShow, trialTopic } from "../../../../src/canary/trials/topic.ts";
import type { Trip } from "../../../../src/health/breaker.ts";
import { probeOf } from "../../../../src/health/trips/recovery.ts";
import { SIGNATURES, signatureTraits } from "../../../../src/verify/signatures/table.ts";
import { mangle, TEXTS } from "../../verify/language/texts.ts";
import { anEndpoint, aReply } from "../probes/an-endpoint.ts";

const NOW = 100_000;

const trip = (changes: Partial<Trip> = {}): Trip => ({
  scope: "target",
  subject: "a:m",
  cause: "signature:empty_200",
  detail: "3 bad answers",
  opened_at: NOW - 60_000,
  until_at: NOW - 1,
  reopened: 0,
  ...changes,
});

const WATCHED = [{ instance: "a", model: "m" }];

test.each<{ what: string; trip: Trip; is_due: boolean }>([
  { what: "a watched target", trip: trip(), is_due: true },
  { what: "the instance of one", trip: trip({ scope: "provider", subject: "A" }), is_due: true },
  { what: "another target", trip: trip({ subject: "a:n" }), is_due: false },
  { what: "one that is still open", trip: trip({ until_at: NOW + 1 }), is_due: false },
  { what: "a failure rate", trip: trip({ cause: "failure_rate" }), is_due: false },
  {
    what: "what no question can show",
    trip: trip({ cause: "signature:tool_json_invalid" }),
    is_due: false,
  },
])("the canary asks about a trip of $what: $is_due", ({ trip: one, is_due }) => {
  const due = dueTrip([one], { watched: WATCHED, not_before: new Map(), now: NOW });

  expect(due).toEqual(is_due ? one : undefined);
});

test("a trip that led nowhere is passed over until its rest is over", () => {
  const other = trip({ cause: "signature:mojibake" });
  const not_before = new Map([[nameOfTrip(trip()), NOW + 1]]);
  const at = (now: number) => dueTrip([trip(), other], { watched: WATCHED, not_before, now });

  expect(at(NOW)).toEqual(other);
  expect(at(NOW + 1)).toEqual(trip());
});

test.each([
  { signature: "empty_200", turn: 0, asks: { contract: "language", locale: "en" } },
  { signature: "empty_200", turn: 1, asks: { contract: "language", locale: "pt" } },
  { signature: "mojibake", turn: 0, asks: { contract: "language", locale: "pt" } },
  { signature: "mojibake", turn: 1, asks: { contract: "language", locale: "ja" } },
  { signature: "schema_violation", turn: 0, asks: { contract: "structured", locale: null } },
] as const)("of $signature in turn $turn it asks $asks.contract $asks.locale", (given) => {
  const { signature, turn, asks } = given;

  expect(trialTopic(signature, { locales: ["en", "pt", "ja"], turn })).toEqual(asks);
});

test("where there is English alone, or no language, something is asked all the same", () => {
  const [english, none] = [["en"], []].map((locales) =>
    trialTopic("mojibake", { locales, turn: 3 }),
  );

  expect(english).toEqual({ contract: "language", locale: "en" });
  expect(none).toEqual({ contract: "ttft", locale: null });
});

test("of every signature that needs no tools a question can show that it is over", () => {
  const shown = SIGNATURES.filter(({ trips }) => trips).map(({ name }) => name);

  expect(shown.filter((name) => !canShow(name))).toEqual([
    "tool_call_text_leak",
    "tool_json_invalid",
  ]);
});

const probe = buildProbe(
  anEndpoint(),
  { contract: "language", locale: "pt" },
  { round_n: 1, attempt: 1 },
);
const PORTUGUESE = TEXTS["pt"] ?? "";

test.each([
  { what: "a sound answer", reply: aReply({ text: PORTUGUESE }), says: "clean", weak: false },
  { what: "a mangled one", reply: aReply({ text: mangle(PORTUGUESE) }), says: "bad", weak: false },
  { what: "an empty one", reply: aReply({ text: "" }), says: "other", weak: true },
] as const)("of a broken encoding $what says that it is $says", ({ reply, says, weak }) => {
  const observation = trialObservation(probe, reply, 5);
  if (observation === null) throw new Error("nothing was observed");

  expect(probeOf(observation, "mojibake", { traits: signatureTraits })).toEqual({
    result: says,
    is_weak: weak,
    started_at: 5,
  });
});

test.each([
  { what: "no answer", reply: { kind: "failed", failure: "timeout", status: null } as const },
  { what: "the answer of another host", reply: aReply({ answered_by: "Novita" }) },
  {
    what: "silence until it was given up",
    reply: aReply({ text: "", first_text_ms: null, duration_ms: 90_000 }),
  },
])("$what says nothing of a trip", ({ reply }) => {
  expect(trialObservation(probe, reply, 5)).toBeNull();
});
