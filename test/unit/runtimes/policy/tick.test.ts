import { expect, test } from "bun:test";

import type { Lease, Phase } from "../../../../src/runtimes/lease.ts";
import { isBilling, PHASES } from "../../../../src/runtimes/lease.ts";
import { afterProbe } from "../../../../src/runtimes/policy/liveness.ts";
import { onExit } from "../../../../src/runtimes/policy/on-exit.ts";
import { mayMove, moveProblem } from "../../../../src/runtimes/policy/phases.ts";
import { releaseDelay } from "../../../../src/runtimes/policy/release.ts";
import { planTick, type Supervised, TICK_MS } from "../../../../src/runtimes/policy/tick.ts";
import { billingNotice, unreadableNotice } from "../../../../src/runtimes/policy/words.ts";
import { BOOT, CREATED, HOUR, MINUTE, PROOF, someLease } from "../../../support/lease.ts";
import { clocks } from "./clocks.ts";

const SETTINGS = { liveness_ms: MINUTE, heartbeat_ms: 5 * MINUTE };

function supervised(lease: Lease, more: Partial<Supervised> = {}): Supervised {
  return {
    lease,
    in_flight: 0,
    boot_id: BOOT,
    watched_ms: 10 * MINUTE,
    probed_elapsed: 0,
    heartbeat_elapsed: 0,
    warned: new Set(),
    ...more,
  };
}

function planned(leases: readonly Supervised[], ms: number) {
  const clock = clocks();
  clock.pass(ms);
  return planTick(leases, clock.time(), SETTINGS).map(({ kind, lease }) => [kind, lease.name]);
}

test("releases come before anything that may take its time", () => {
  const leases = [
    supervised(someLease({ name: "fresh", idle_deadline: CREATED + 3 * HOUR })),
    supervised(someLease({ name: "old" })),
    supervised(someLease({ name: "going", phase: "stopping" })),
  ];

  expect(planned(leases, HOUR)).toEqual([
    ["release", "old"],
    ["release", "going"],
    ["heartbeat", "fresh"],
    ["probe", "fresh"],
  ]);
});

test("a setting that became longer than the watchdog on the machine was told does not make heartbeats late", () => {
  const one = supervised(someLease({ idle_deadline: CREATED + 3 * HOUR }));
  const clock = clocks();
  clock.pass(5 * MINUTE);
  const settings = { liveness_ms: HOUR, heartbeat_ms: HOUR };

  const kinds = planTick([one], clock.time(), settings).map(({ kind }) => kind);

  expect(kinds).toEqual(["heartbeat"]);
});

test("a probe and a heartbeat come in their intervals, and at once after a sleep", () => {
  const one = supervised(someLease());

  expect(planned([one], MINUTE - 1000)).toEqual([]);
  expect(planned([one], MINUTE)).toEqual([["probe", "qwen"]]);
  expect(planned([one], 5 * MINUTE)).toEqual([
    ["heartbeat", "qwen"],
    ["probe", "qwen"],
  ]);
  const clock = clocks();
  const asleep = planTick([one], clock.sleep(50_000), SETTINGS);
  expect(asleep.map(({ kind }) => kind)).toEqual(["heartbeat", "probe"]);
});

test("each deadline is warned of once, ten minutes before", () => {
  const one = supervised(someLease({ max_cu: 0.7 }));

  expect(planned([one], 26 * MINUTE).filter(([kind]) => kind === "warn")).toHaveLength(1);
  expect(planned([{ ...one, warned: new Set(["max_cu"]) }], 26 * MINUTE)).toEqual([
    ["heartbeat", "qwen"],
    ["probe", "qwen"],
  ]);
});

test("an adopted runtime is never probed, and kept to its deadlines", () => {
  const adopted = someLease({ phase: "degraded", base_url: null, watchdog: null });

  expect(planned([supervised(adopted)], 5 * MINUTE)).toEqual([]);
  expect(planned([supervised(adopted)], 45 * MINUTE)).toEqual([["release", "qwen"]]);
});

test.each(PHASES.filter((phase) => !isBilling(phase)))(
  "nothing is done for what is %s",
  (phase) => {
    expect(planned([supervised(someLease({ phase }))], 9 * HOUR)).toEqual([]);
  },
);

test("T13: three misses degrade, one answer restores, and no probe ever releases", () => {
  let lease = { phase: "ready" as Phase, liveness_misses: 0 };
  const seen = [false, false, false, false, true, false].map((answered) => {
    lease = afterProbe(lease, answered) ?? lease;
    return `${lease.phase} ${lease.liveness_misses}`;
  });

  expect(seen).toEqual(["ready 1", "ready 2", "degraded 3", "degraded 4", "ready 0", "ready 1"]);
  for (const phase of ["planned", "starting", "stopping", "stopped", "failed", "detached"] as const)
    expect(afterProbe({ phase, liveness_misses: 9 }, false)).toBeNull();
});

/** How much is done, a minute in, for a release last tried at `last_at`. */
function retriesAt(attempts: number, last_at: number): number {
  const release = { attempts, last_at, last_error: "no", proof: null };
  return planned([supervised(someLease({ phase: "stopping", release }))], MINUTE).length;
}

test("T8: a release is tried again after 5, 15 and 60 s, then at every tick for ever", () => {
  expect([0, 1, 2, 3, 4, 5, 5000].map((attempts) => releaseDelay(attempts, TICK_MS))).toEqual([
    0, 5000, 15_000, 60_000, 15_000, 15_000, 15_000,
  ]);
  expect([
    retriesAt(3, CREATED),
    retriesAt(3, CREATED + 1),
    retriesAt(9999, CREATED + 45_000),
  ]).toEqual([1, 0, 1]);
  // A clock that was set back is no reason to wait.
  expect(retriesAt(3, CREATED + HOUR)).toBe(1);
});

test("the notice names the runtime, its GPU, what it costs and since when", () => {
  expect(billingNotice(someLease())).toBe(
    "MAY STILL BE BILLING qwen T4 ~1.19 CU/h since 2029-12-31T20:00:00Z",
  );
  const unknown = someLease({ rate: { cu_h: null, as_of: "", source: "" } });
  expect(billingNotice(unknown)).toContain("at an unknown rate");
  expect(unreadableNotice("qwen")).toStartWith("MAY STILL BE BILLING qwen");
});

test("detached counts as billing, and so does everything between the request and the proof", () => {
  expect(PHASES.filter((phase) => isBilling(phase))).toEqual([
    "starting",
    "ready",
    "degraded",
    "stopping",
    "detached",
  ]);
});

test("every way off the bill leads through stopping, and none leads back", () => {
  const allowed = PHASES.map((from) => [
    from,
    PHASES.filter((to) => to !== from && mayMove(from, to)),
  ]);

  expect(Object.fromEntries(allowed)).toEqual({
    planned: ["starting", "failed"],
    starting: ["ready", "degraded", "stopping", "detached"],
    ready: ["degraded", "stopping", "detached"],
    degraded: ["ready", "stopping", "detached"],
    stopping: ["stopped", "failed"],
    stopped: [],
    failed: [],
    detached: ["ready", "degraded", "stopping"],
  });
  const release = { ...someLease().release, proof: PROOF };
  const stopping = someLease({ phase: "stopping" });
  expect(moveProblem(stopping, "failed")).toContain("nothing proves");
  expect(moveProblem({ ...stopping, release }, "failed")).toBeNull();
});

test.each<{ what: string; lease: Partial<Lease>; setting?: "release"; wants: object }>([
  { what: "ready, watched", lease: {}, wants: { kind: "detach", until: CREATED + 40 * MINUTE } },
  { what: "degraded, watched", lease: { phase: "degraded" }, wants: { kind: "detach" } },
  { what: "detached, watched", lease: { phase: "detached" }, wants: { kind: "detach" } },
  {
    what: "ready, watched, close to its end",
    lease: { hard_deadline: CREATED + 12 * MINUTE },
    wants: { kind: "detach", until: CREATED + 12 * MINUTE },
  },
  { what: "ready, by the setting", lease: {}, setting: "release", wants: { kind: "release" } },
  { what: "ready without watchdog", lease: { watchdog: null }, wants: { kind: "release" } },
  {
    what: "ready with a watchdog never seen",
    lease: { watchdog: { installed_at: CREATED, ttl_s: 1800, heartbeat_s: 300, seen_at: null } },
    wants: { kind: "release" },
  },
  {
    what: "ready with a watchdog last seen too long ago",
    lease: {
      watchdog: { installed_at: CREATED, ttl_s: 599, heartbeat_s: 300, seen_at: CREATED },
    },
    wants: { kind: "release" },
  },
  { what: "starting", lease: { phase: "starting" }, wants: { kind: "release" } },
  { what: "stopping", lease: { phase: "stopping" }, wants: { kind: "release" } },
  { what: "stopped", lease: { phase: "stopped" }, wants: { kind: "nothing" } },
])("T21: at the end of the process a runtime that is $what: $wants", (row) => {
  const now = CREATED + 10 * MINUTE;

  expect(onExit(someLease(row.lease), row.setting ?? "detach", now)).toMatchObject(row.wants);
});
