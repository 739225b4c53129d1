import { expect, test } from "bun:test";

import type { SuspensionInForce } from "../../../../src/canary/ladder/in-force.ts";
import type { CanaryRoundRow } from "../../../../src/canary/rows.ts";
import {
  createFleetKeeper,
  type FleetKeeper,
} from "../../../../src/control/canary/live/fleet-keeper.ts";
import type { HealthNotice } from "../../../../src/health/notices.ts";
import type { CanaryStore } from "../../../../src/store/canary-store.ts";
import type { Store } from "../../../../src/store/store.ts";
import { openTestStore } from "../../../support/open-store.ts";

const START = 1_764_460_800_000;
const HALF_HOUR = 1_800_000;
const HOSTS = ["one", "two", "bad"];

/** Round `n`, in which all of `bad` fail. */
const roundOf = (n: number, bad: readonly string[] = ["bad"]): readonly CanaryRoundRow[] =>
  HOSTS.map((host) => {
    const fails = bad.includes(host);
    const result = fails ? "fail" : "pass";
    const reason = fails ? "too_slow" : null;
    return {
      round_id: `r${n}`,
      round_n: n,
      role: "watched",
      endpoint: `gw:a/m@${host}`,
      instance: "gw",
      model: "a/m",
      host,
      groups: ["gw:a/m"],
      is_production: true,
      mode: "enforce",
      started_at: START + n * HALF_HOUR - 10_000,
      ended_at: START + n * HALF_HOUR,
      interval_ms: HALF_HOUR,
      result,
      outcomes: [{ contract: "ttft", locale: null, result, reason }],
    };
  });

interface Life {
  readonly keeper: FleetKeeper;
  readonly told: HealthNotice[];
  readonly inForce: () => readonly string[];
}

/** A process on this store, of which a part of the calls may be replaced. */
function live(store: Store, changes: Partial<CanaryStore> = {}): Life {
  const told: HealthNotice[] = [];
  let suspended: readonly SuspensionInForce[] = [];
  const keeper = createFleetKeeper({
    clock: { now: () => START + 2 * HALF_HOUR },
    store: { canary: { ...store.canary, ...changes } },
    board: { put: (next) => void (suspended = next) },
    mode: () => "enforce",
    notify: (notice) => void told.push(notice),
  });
  return { keeper, told, inForce: () => suspended.map(({ host }) => host ?? "") };
}

const never = () => Promise.reject(new Error("the process is dead"));

test.each<{ name: string; dies: Partial<CanaryStore>; tells: number }>([
  { name: "nothing", dies: {}, tells: 1 },
  { name: "before the rows of the round", dies: { saveRound: never }, tells: 1 },
  { name: "between the rows and what follows", dies: { saveEvents: never }, tells: 1 },
  // It may have been told already; twice is better than never.
  { name: "between telling and noting that", dies: { noteTold: never }, tells: 2 },
])("killed at $name, the next process suspends once and tells of it", async ({ dies, tells }) => {
  await using store = await openTestStore();
  const before = live(store);
  await before.keeper.load();
  await before.keeper.endRound(roundOf(1));
  const dying = live(store, dies);
  await dying.keeper.load();
  await dying.keeper.endRound(roundOf(2)).catch(() => undefined);

  const next = live(store);
  await next.keeper.load();
  if (next.keeper.fleet().last_round_n < 2) await next.keeper.endRound(roundOf(2));

  const { items } = await store.canary.listSuspensions({ limit: 50, kind: "suspended" });
  const news = [...dying.told, ...next.told].filter(({ kind }) => kind === "canary_suspended");
  expect(items.map(({ host }) => host)).toEqual(["bad"]);
  expect(next.inForce()).toEqual(["bad"]);
  expect(next.keeper.fleet().endpoints.get("gw:a/m@bad")?.level).toBe(1);
  expect(news).toHaveLength(tells);
});

/** The same with a control that answers so. */
const controlled = (n: number, result: "pass" | "fail"): readonly CanaryRoundRow[] => {
  const rows = roundOf(n, []);
  const [one] = rows;
  if (one === undefined) return rows;
  return [...rows, { ...one, role: "control", endpoint: "gw:a/m@strict", host: "strict", result }];
};

test("that the question about filters tells nothing, and does again, is told and audited once", async () => {
  await using store = await openTestStore();
  const { keeper, told } = live(store);
  await keeper.load();

  for (const [at, result] of (["fail", "pass", "pass", "fail", "fail"] as const).entries()) {
    await keeper.endRound(controlled(at + 1, result));
  }

  const { items } = await store.listAudit({ limit: 50 });
  expect(told).toEqual([
    { kind: "canary_filter_weak", is_weak: true, passed: ["gw:a/m@strict"] },
    { kind: "canary_filter_weak", is_weak: false, passed: [] },
  ]);
  expect(items.filter(({ subject }) => subject === "canary").toReversed()).toEqual([
    {
      at: START + 2 * HALF_HOUR,
      actor: "canary",
      action: "canary.filter_weak",
      subject: "canary",
      detail: "let through by gw:a/m@strict",
    },
    {
      at: START + 4 * HALF_HOUR,
      actor: "canary",
      action: "canary.filter_strong",
      subject: "canary",
      detail: null,
    },
  ]);
});

test.each<{ name: string; dies: Partial<CanaryStore>; tells: number }>([
  { name: "before the rows of the round", dies: { saveRound: never }, tells: 1 },
  // It has been told already; twice is better than never.
  { name: "before the state is kept", dies: { saveEvents: never }, tells: 2 },
])("killed $name, the next process tells of a weak question", async ({ dies, tells }) => {
  await using store = await openTestStore();
  const dying = live(store, dies);
  await dying.keeper.load();
  await dying.keeper.endRound(controlled(1, "pass")).catch(() => undefined);
  await dying.keeper.catchUp().catch(() => undefined);

  const next = live(store);
  await next.keeper.load();
  if (next.keeper.fleet().last_round_n < 1) await next.keeper.endRound(controlled(1, "pass"));

  const { items } = await store.listAudit({ limit: 50 });
  const weak = [...dying.told, ...next.told].filter(({ kind }) => kind === "canary_filter_weak");
  expect(weak).toHaveLength(tells);
  expect(items.filter(({ action }) => action === "canary.filter_weak")).toHaveLength(1);
});

test("a round that could not be kept whole is caught up with before the next", async () => {
  await using store = await openTestStore();
  let isFull = false;
  const { keeper, inForce } = live(store, {
    saveEvents: (events) => (isFull ? never() : store.canary.saveEvents(events)),
  });
  await keeper.load();
  await keeper.endRound(roundOf(1));
  isFull = true;
  await keeper.endRound(roundOf(2)).catch(() => undefined);
  const meanwhile = inForce();
  isFull = false;

  await keeper.catchUp();

  expect(meanwhile).toEqual([]);
  expect(inForce()).toEqual(["bad"]);
  expect(keeper.fleet().last_round_n).toBe(2);
});

test("a lift while a round is being stored is not lost to it", async () => {
  await using store = await openTestStore();
  const { keeper, inForce } = live(store);
  await keeper.load();
  await keeper.endRound(roundOf(1));
  await keeper.endRound(roundOf(2));

  const [, lifted] = await Promise.all([
    keeper.endRound(roundOf(3)),
    keeper.lift("gw:a/m@bad", true),
  ]);
  const again = live(store);
  await again.keeper.load();

  expect(lifted?.level).toBe(0);
  expect(inForce()).toEqual([]);
  expect(again.inForce()).toEqual([]);
  expect(again.told).toEqual([]);
  expect(again.keeper.fleet()).toEqual(keeper.fleet());
});

test("an endpoint that nobody knows cannot be lifted", async () => {
  await using store = await openTestStore();
  const { keeper } = live(store);
  await keeper.load();

  expect(await keeper.lift("gw:a/m@nobody", false)).toBeUndefined();
});
