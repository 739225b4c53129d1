import { expect, test } from "bun:test";

import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";

import type { Lease } from "../../../../src/runtimes/lease.ts";
import type { Listing } from "../../../../src/runtimes/listing.ts";
import { absenceProof } from "../../../../src/runtimes/policy/absence.ts";
import { attribute, orphansOf } from "../../../../src/runtimes/policy/orphans.ts";
import { reconcile, type ReconcileRequest } from "../../../../src/runtimes/policy/reconcile.ts";
import {
  BOOT,
  CREATED,
  doubtful,
  HOUR,
  listing,
  MINUTE,
  PROOF,
  session,
  someLease,
} from "../../../support/lease.ts";
import { clocks } from "./clocks.ts";

const OURS = session("gpu-t4-1");
const NEW = session("gpu-new");
const OLD = session("gpu-old");
const unborn = { phase: "starting", endpoint: null, base_url: null, external: null } as const;

interface Window {
  window: string;
  lease: Partial<Lease>;
  listings: Listing[];
  more?: Partial<ReconcileRequest>;
  /** After how many minutes. */
  after?: number;
  wants: object;
}

test.each<Window>([
  {
    window: "W2: the lease was written, nothing asked of Colab",
    lease: unborn,
    listings: [listing(0, OLD), listing(30, OLD)],
    after: 6,
    wants: { kind: "gone", proof: { kind: "never_assigned", endpoint: null } },
  },
  {
    window: "W2, but it may still appear",
    lease: unborn,
    listings: [listing(0), listing(30)],
    after: 4,
    wants: { kind: "wait" },
  },
  {
    window: "W2, but the listings are 29 s apart",
    lease: unborn,
    listings: [listing(0), listing(29)],
    after: 6,
    wants: { kind: "wait" },
  },
  {
    window: "W3: Colab assigned one, the answer was lost",
    lease: unborn,
    listings: [listing(0, OLD, NEW)],
    wants: { kind: "release", machine: { endpoint: "gpu-new" } },
  },
  {
    window: "W3 with a machine that was there before",
    lease: unborn,
    listings: [listing(0, OLD)],
    wants: { kind: "wait" },
  },
  {
    window: "W3 with two that it may be",
    lease: unborn,
    listings: [listing(0, NEW, session("gpu-2"))],
    wants: { kind: "report", endpoints: ["gpu-new", "gpu-2"] },
  },
  {
    window: "W3 with other hardware than was asked for",
    lease: unborn,
    listings: [listing(0, session("gpu-a100", { hardware: "A100" })), listing(40, NEW)],
    wants: { kind: "release", machine: { endpoint: "gpu-new" } },
  },
  {
    window: "W3 with nothing but other hardware, for ever",
    lease: unborn,
    listings: [0, 30, 60].map((at) => listing(at, session("gpu-a100", { hardware: "A100" }))),
    after: 60,
    wants: { kind: "report", endpoints: ["gpu-a100"] },
  },
  {
    window: "W3 with a notebook on a CPU beside it",
    lease: unborn,
    listings: [listing(0, NEW, session("m-1", { hardware: "CPU", variant: "DEFAULT" }))],
    wants: { kind: "release", machine: { endpoint: "gpu-new" } },
  },
  {
    window: "W3 of one without GPU: any notebook in a browser may be it",
    lease: { ...unborn, sku: "CPU" },
    listings: [listing(0, session("m-1", { hardware: "CPU", variant: "DEFAULT" }))],
    wants: { kind: "report", endpoints: ["m-1"] },
  },
  {
    window: "W3 of one without GPU: Colab may have given one with",
    lease: { ...unborn, sku: "CPU" },
    listings: [listing(0, NEW)],
    wants: { kind: "report", endpoints: ["gpu-new"] },
  },
  {
    window: "W4 of one without GPU: it is listed under its name",
    lease: { ...unborn, sku: "CPU" },
    listings: [
      listing(0, session("m-1", { name: "veriroute-qwen", hardware: "CPU", variant: "DEFAULT" })),
    ],
    wants: { kind: "release", machine: { endpoint: "m-1" } },
  },
  {
    window: "W3 with a machine of another lease",
    lease: unborn,
    listings: [listing(0, NEW)],
    more: { others: [someLease({ name: "other", endpoint: "gpu-new" })] },
    wants: { kind: "wait" },
  },
  {
    window: "W4: it is listed under its name",
    lease: unborn,
    listings: [listing(0, session("gpu-mine", { name: "veriroute-qwen" }))],
    wants: { kind: "release", machine: { endpoint: "gpu-mine" } },
  },
  {
    window: "W4: its own store knows it, and no listing shows it",
    lease: { ...unborn, sku: "CPU" },
    listings: [listing(0, session("m-1", { hardware: "CPU", variant: "DEFAULT" }))],
    more: { stored: "m-2" },
    wants: { kind: "release", machine: null },
  },
  {
    window: "W5, W6: bootstrap was cut short",
    lease: { phase: "starting" },
    listings: [listing(0, OURS)],
    wants: { kind: "release", machine: null },
  },
  {
    window: "W5: nobody had seen it listed",
    lease: { phase: "starting", external: null },
    listings: [listing(0, OURS)],
    wants: { kind: "release", machine: OURS },
  },
  {
    window: "W7: it was serving",
    lease: {},
    listings: [listing(0, OURS)],
    wants: { kind: "reattach" },
  },
  {
    window: "W7: it was left to its watchdog",
    lease: { phase: "detached" },
    listings: [doubtful(0, OURS)],
    wants: { kind: "reattach" },
  },
  {
    window: "W7, but its life is over",
    lease: {},
    listings: [],
    after: 241,
    wants: { kind: "release" },
  },
  {
    window: "W7, but nobody used it",
    lease: {},
    listings: [listing(0, OURS)],
    after: 46,
    wants: { kind: "release" },
  },
  {
    window: "W7, but its machine is gone",
    lease: {},
    listings: [listing(0), listing(31)],
    wants: { kind: "gone", proof: { kind: "absent", endpoint: "gpu-t4-1" } },
  },
  {
    window: "W5, and listings lag behind",
    lease: { phase: "starting", external: null },
    listings: [listing(0), listing(31)],
    wants: { kind: "wait" },
  },
  {
    window: "W5, and no listing ever showed it",
    lease: { phase: "starting", external: null },
    listings: [listing(0), listing(31)],
    after: 6,
    wants: { kind: "gone", proof: { kind: "absent" } },
  },
  {
    window: "W7, and one listing lacks it",
    lease: {},
    listings: [listing(0)],
    wants: { kind: "wait" },
  },
  { window: "W7, and nobody asked", lease: {}, listings: [], wants: { kind: "wait" } },
  {
    window: "W8, W9: its release was under way",
    lease: { phase: "stopping" },
    listings: [listing(0), listing(60)],
    wants: { kind: "release" },
  },
  {
    window: "W10: proven, not archived",
    lease: { phase: "stopped", release: { ...someLease().release, proof: PROOF } },
    listings: [],
    wants: { kind: "archive" },
  },
  {
    window: "stopped without proof",
    lease: { phase: "stopped" },
    listings: [],
    wants: { kind: "release" },
  },
  {
    window: "W11: another process answers for it",
    lease: {},
    listings: [listing(0), listing(60)],
    more: { lock: "other" },
    after: 600,
    wants: { kind: "follow" },
  },
  { window: "planned", lease: { phase: "planned" }, listings: [], wants: { kind: "fail" } },
  {
    window: "T15: adopted, nobody knows what it serves",
    lease: { phase: "degraded", base_url: null },
    listings: [listing(0, OURS)],
    wants: { kind: "watch" },
  },
])("$window", ({ lease, listings, more, after = 1, wants }) => {
  const clock = clocks();
  clock.pass(after * MINUTE);
  const request: ReconcileRequest = {
    lease: someLease(lease),
    in_flight: 0,
    boot_id: BOOT,
    watched_ms: 10 * MINUTE,
    lock: "ours",
    listings,
    others: [],
    stored: null,
    ...more,
  };

  expect(reconcile(request, clock.time())).toMatchObject(wants);
});

test("T7: an empty listing with something on stderr proves nothing, however often it comes", () => {
  const listings = [0, 60, 120].map((at) => doubtful(at));

  expect(absenceProof({ subject: someLease(), listings, others: [] })).toBeNull();
});

test("T6: a machine that is still listed is not gone, whatever the release said", () => {
  const subject = someLease();
  const proofOf = (...listings: Listing[]) => absenceProof({ subject, listings, others: [] });

  expect(proofOf(listing(0), listing(30, OURS))).toBeNull();
  // A listing that shows it takes back those before.
  expect(proofOf(listing(0), doubtful(10, OURS), listing(30), listing(59))).toBeNull();
  expect(proofOf(listing(0), doubtful(10, OURS), listing(30), listing(60))).toEqual({
    kind: "absent",
    first_listing_at: CREATED + 30_000,
    second_listing_at: CREATED + 60_000,
    endpoint: "gpu-t4-1",
  });
});

test("no order of listings proves a machine gone that one of the last 30 s shows", () => {
  const one = record({
    at: integer({ min: 0, max: 200 }),
    clean: boolean(),
    shown: boolean(),
    other: constantFrom([], [OLD], [session("gpu-x")]),
  });
  assert(
    property(array(one, { maxLength: 8 }), boolean(), (rows, isNamed) => {
      const subject = isNamed ? someLease() : someLease(unborn);
      const ordered = rows.toSorted((a, b) => a.at - b.at);
      const listings = ordered.map(({ at, clean, shown, other }) =>
        (clean ? listing : doubtful)(at, ...other, ...(shown ? [OURS] : [])),
      );
      const proof = absenceProof({ subject, listings, others: [] });
      if (proof === null) return;
      const from = (proof.first_listing_at - CREATED) / 1000;
      const to = (proof.second_listing_at - CREATED) / 1000;
      expect(to - from).toBeGreaterThanOrEqual(30);
      const after = ordered.filter(({ at }) => at > from);
      expect(after.filter(({ shown }) => shown)).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test("T15: what no lease accounts for is reported with the command that takes it over", () => {
  const leases = [
    someLease(),
    someLease({ name: "next", ...unborn }),
    someLease({ name: "old", phase: "stopped", endpoint: "gpu-old" }),
  ];
  const found = orphansOf(
    listing(0, OURS, OLD, NEW, session("gpu-named", { name: "mine" })),
    leases,
  );

  // `gpu-new` may be what `next` has brought about.
  expect(found.map(({ session: { endpoint }, command }) => [endpoint, command])).toEqual([
    ["gpu-old", "veriroute runtimes adopt gpu-old"],
    ["gpu-named", "veriroute runtimes adopt gpu-named"],
  ]);
});

test("a clock that was moved between two listings makes them no further apart", () => {
  const [first, second] = [listing(0), listing(5)];
  const listings = [first, { ...second, at: { ...second.at, now: CREATED + HOUR } }];

  expect(absenceProof({ subject: someLease(), listings, others: [] })).toBeNull();
});

test("while a lease cannot be read, no machine is taken for that of another", () => {
  const lease = someLease(unborn);
  const found = (others: readonly Lease[] | null) => attribute(lease, listing(0, NEW), others).kind;

  expect([found([]), found(null)]).toEqual(["one", "unclear"]);
});
