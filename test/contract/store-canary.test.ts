import { expect, test } from "bun:test";

import type { CanaryRoundRow, SuspensionRow } from "../../src/canary/rows.ts";
import type { StoredProbe } from "../../src/store/canary-store.ts";
import { attempt, decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const roundRow = (changes: Partial<CanaryRoundRow> = {}): CanaryRoundRow => ({
  round_id: "r1",
  round_n: 1,
  role: "watched",
  endpoint: "gw:a/m@one",
  instance: "gw",
  model: "a/m",
  host: "one",
  groups: ["gw:a/m"],
  is_production: true,
  mode: "enforce",
  started_at: 1000,
  ended_at: 2000,
  interval_ms: 1_800_000,
  result: "fail",
  outcomes: [{ contract: "ttft", locale: null, result: "fail", reason: "too_slow" }],
  ...changes,
});

const event = (changes: Partial<SuspensionRow> = {}): SuspensionRow => ({
  id: "suspended gw:a/m@one 2000",
  kind: "suspended",
  endpoint: "gw:a/m@one",
  instance: "gw",
  model: "a/m",
  host: "one",
  at: 2000,
  round_id: "r1",
  until_at: 90_000_000,
  level: 1,
  detail: "ttft: too_slow",
  is_news: true,
  forgives: false,
  ...changes,
});

const probe = (changes: Partial<StoredProbe> = {}): StoredProbe => ({
  round_id: "r1",
  role: "watched",
  endpoint: "gw:a/m@one",
  instance: "gw",
  contract: "language",
  locale: "pt",
  attempt: 1,
  at: 1500,
  result: null,
  reason: null,
  detected: null,
  ttft_ms: null,
  duration_ms: null,
  input_tokens: null,
  output_tokens: null,
  charged_tokens: 700,
  charged_usd: 0.25,
  ...changes,
});

const EVERYTHING = { charges_since: 0, form: 1 };

test("a round that is written twice is there once, and comes back as it was", async () => {
  await using store = await openTestStore();

  await store.canary.saveRound([roundRow()]);
  await store.canary.saveRound([roundRow({ result: "pass" })]);

  expect((await store.canary.load(EVERYTHING)).rounds).toEqual([roundRow()]);
});

test("rounds that the kept state holds are not read again, and lifts always are", async () => {
  await using store = await openTestStore();
  const lift = event({ id: "operator_lift x 1", kind: "operator_lift", until_at: null });
  await store.canary.saveRound([roundRow()]);
  await store.canary.saveEvents({
    events: [event(), lift],
    fleet: { round_n: 1, record: '{"form":1}' },
  });
  await store.canary.saveRound([roundRow({ round_id: "r2", round_n: 2 })]);

  const saved = await store.canary.load(EVERYTHING);

  expect(saved).toEqual({
    fleet: '{"form":1}',
    rounds: [roundRow({ round_id: "r2", round_n: 2 })],
    lifts: [lift],
    untold: [event(), lift],
    charges: [],
  });
});

test("a state in another form is worked out from all rounds again", async () => {
  await using store = await openTestStore();
  await store.canary.saveRound([roundRow()]);
  await store.canary.saveEvents({ events: [], fleet: { round_n: 1, record: '{"form":1}' } });

  const { fleet, rounds } = await store.canary.load({ charges_since: 0, form: 2 });

  expect({ fleet, rounds }).toEqual({ fleet: null, rounds: [roundRow()] });
});

test("news is told until somebody notes that it was, and an event has one row", async () => {
  await using store = await openTestStore();
  await store.canary.saveEvents({ events: [event(), event()], fleet: null });

  await store.canary.noteTold([event().id], 2100);
  await store.canary.saveEvents({ events: [event({ level: 3 })], fleet: null });

  expect((await store.canary.load(EVERYTHING)).untold).toEqual([]);
  expect((await store.canary.listSuspensions({ limit: 5 })).items).toEqual([event()]);
});

test("each event is in the audit log, once, news or not, with what else is to be read there", async () => {
  await using store = await openTestStore();
  const quiet = event({ id: "vanished x 1", kind: "vanished", is_news: false, detail: null });
  const more = { at: 3, actor: "canary", action: "a", subject: "s", detail: null };
  await store.canary.saveEvents({ events: [event(), quiet], fleet: null });

  await store.canary.saveEvents({ events: [event(), quiet], audit: [more], fleet: null });

  const { items } = await store.listAudit({ limit: 5 });
  const about = { at: 2000, actor: "canary", subject: "gw:a/m@one" };
  expect(items.toReversed()).toEqual([
    { ...about, action: "canary.suspended", detail: "ttft: too_slow" },
    { ...about, action: "canary.vanished", detail: null },
    more,
  ]);
});

test("a probe is charged from before it is sent, and what it came to takes that one's place", async () => {
  const directory = tempDir();
  using _ = directory;
  const path = `${directory.path}/db`;
  {
    await using store = await openTestStore(path);
    await store.canary.reserve(probe({ at: 10 }));
    await store.canary.reserve(probe({ attempt: 2, locale: null, contract: "ttft" }));
    await store.canary.settle(
      probe({ attempt: 2, locale: null, contract: "ttft", result: "pass", charged_usd: 0.01 }),
    );
  }
  await using store = await openTestStore(path);

  const { items } = await store.canary.listProbes({ limit: 10 });
  const { charges } = await store.canary.load({ ...EVERYTHING, charges_since: 100 });

  expect(items).toEqual([
    probe({ attempt: 2, locale: null, contract: "ttft", result: "pass", charged_usd: 0.01 }),
    probe({ at: 10 }),
  ]);
  expect(charges).toEqual([{ instance: "gw", at: 1500, charged_tokens: 700, charged_usd: 0.01 }]);
});

test.each<{ filter: object; ids: readonly string[] }>([
  { filter: {}, ids: ["r3", "r2", "r1"] },
  { filter: { endpoint: "gw:a/m@two" }, ids: ["r2"] },
  { filter: { result: "pass" }, ids: ["r3"] },
  { filter: { round_id: "r1" }, ids: ["r1"] },
])("rounds are listed newest first, by $filter", async ({ filter, ids }) => {
  await using store = await openTestStore();
  await store.canary.saveRound([roundRow()]);
  await store.canary.saveRound([roundRow({ round_id: "r2", endpoint: "gw:a/m@two" })]);
  await store.canary.saveRound([roundRow({ round_id: "r3", result: "pass" })]);

  const { items } = await store.canary.listRounds({ limit: 10, ...filter });

  expect(items.map(({ round_id }) => round_id)).toEqual([...ids]);
});

test("a look back holds the rounds after each would-be suspension, and none from before", async () => {
  await using store = await openTestStore();
  const observed = event({ id: "w", kind: "would_suspend", at: 5000, until_at: 86_405_000 });
  await store.canary.saveRound([roundRow({ ended_at: 4000 })]);
  await store.canary.saveRound([roundRow({ round_id: "r2", ended_at: 6000 })]);
  await store.canary.saveRound([roundRow({ round_id: "r3", ended_at: 90_000_000 })]);
  await store.canary.saveEvents({ events: [observed, event()], fleet: null });

  const { rounds, suspensions, live } = await store.canary.observed(0);

  expect(rounds.map(({ round_id }) => round_id)).toEqual(["r2"]);
  expect(suspensions).toEqual([observed]);
  expect(live).toEqual([]);
});

test("a look back counts the live answers of a target that is its own endpoint", async () => {
  await using store = await openTestStore();
  const observed = event({
    id: "w",
    kind: "would_suspend",
    endpoint: "nim:m",
    host: null,
    at: 5000,
    until_at: 9000,
  });
  const bad = {
    verdict: "malformed",
    signature: "empty_200",
    detail: null,
    model_attributable: 1 as const,
    trips: true,
    scope: "target",
  };
  const kinds = [
    { at: 4000, kind: "ok", verification: bad },
    { at: 6000, kind: "ok", verification: bad },
    { at: 6000, kind: "malformed_empty", verification: bad },
    { at: 6000, kind: "ok", verification: null },
    { at: 6000, kind: "timeout", verification: null },
    { at: 9000, kind: "ok", verification: null },
  ];
  for (const { at, ...changes } of kinds) {
    const attempts = [attempt({ target: "nim:m", ...changes })];
    store.recordDecision(decision({ at, attempts }));
  }
  await store.canary.saveEvents({ events: [observed], fleet: null });

  const { live } = await store.canary.observed(0);

  expect(live).toEqual([{ endpoint: "nim:m", from: 5000, to: 9000, good: 1, bad: 2 }]);
});

test("a look back counts the live answers of a target by the host that gave them", async () => {
  await using store = await openTestStore();
  const observed = event({ id: "w", kind: "would_suspend", at: 5000, until_at: 9000 });
  await store.canary.saveRound([roundRow(), roundRow({ endpoint: "gw:a/m@two", host: "two" })]);
  const beside = { ...observed, id: "w2", endpoint: "gw:a/m@two", host: "two" };
  await store.canary.saveEvents({ events: [observed, beside], fleet: null });
  for (const [n, endpoint] of ["gw:a/m@One", "gw:a/m@Two", "gw:a/m@One", null].entries()) {
    const attempts = [attempt({ target: "gw:a/m", kind: "ok", endpoint })];
    store.recordDecision(decision({ id: `d${n}`, at: 6000, attempts }));
  }

  const { live, endpoints } = await store.canary.observed(0);

  const stretch = { from: 5000, to: 9000, bad: 0 };
  expect(live).toEqual([
    { ...stretch, endpoint: "gw:a/m", good: 1 },
    { ...stretch, endpoint: "gw:a/m@One", good: 2 },
    { ...stretch, endpoint: "gw:a/m@Two", good: 1 },
  ]);
  expect(endpoints).toEqual(["gw:a/m@one", "gw:a/m@two"]);
});

test("old rounds go, but not those that the kept state does not hold yet", async () => {
  await using store = await openTestStore();
  await store.canary.saveRound([roundRow()]);
  await store.canary.saveRound([roundRow({ round_id: "r2", round_n: 2 })]);
  await store.canary.saveEvents({ events: [], fleet: { round_n: 1, record: "{}" } });

  await store.canary.prune(1_000_000);

  const { items } = await store.canary.listRounds({ limit: 10 });
  expect(items.map(({ round_id }) => round_id)).toEqual(["r2"]);
});
