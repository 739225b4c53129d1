import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import type { Lease } from "../../../../src/runtimes/lease.ts";
import { LeaseError } from "../../../../src/runtimes/leases/lease-error.ts";
import { openLeases } from "../../../../src/runtimes/leases/open-leases.ts";
import { acquireServeLock } from "../../../../src/store/serve-lock.ts";
import { CREATED, HOUR, MINUTE, PROOF, someLease } from "../../../support/lease.ts";
import { movedClock } from "../../../support/moved-clock.ts";
import { tempDir } from "../../../support/temp-dir.ts";

function rig() {
  const home = tempDir();
  const directory = home.file("state/runtimes");
  const clock = movedClock(CREATED);
  const leases = openLeases({ directory, clock, takeLock: acquireServeLock });
  const file = (name: string) => join(directory, name);
  const json = (name: string): Record<string, unknown> =>
    JSON.parse(readFileSync(file(name), "utf8"));
  return { leases, directory, clock, file, json, [Symbol.dispose]: home[Symbol.dispose] };
}

async function failureOf(act: Promise<unknown>): Promise<unknown> {
  try {
    return { succeeded: await act };
  } catch (error) {
    return error;
  }
}

test("a lease is one readable file, for its owner only", async () => {
  using made = rig();
  const { leases, directory, file, json } = made;

  expect(await leases.create(someLease())).toBe(true);

  expect(readdirSync(directory)).toEqual(["qwen.json"]);
  expect(statSync(file("qwen.json")).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(json("qwen.json")).toEqual({
    ...someLease(),
    summary:
      "T4 since 2029-12-31T20:00:00Z, now ready, ~1.19 CU/h, as gpu-t4-1; to be released by 2030-01-01T00:00:00Z; at once: veriroute runtimes down qwen",
  });
  expect(await leases.read("qwen")).toMatchObject({ kind: "lease", doubts: [] });
});

test("T14: two that take one name at once: one of them gets it", async () => {
  using made = rig();
  const { leases, directory, clock } = made;
  const rival = openLeases({ directory, clock, takeLock: acquireServeLock });

  const taken = await Promise.all([
    leases.create(someLease({ lease_id: "a" })),
    rival.create(someLease({ lease_id: "b" })),
    leases.create(someLease({ lease_id: "c" })),
  ]);

  expect(taken.filter(Boolean)).toHaveLength(1);
});

test("the lock of a name is held by one, and taken over from a process of an earlier boot", () => {
  using made = rig();
  const { leases, file, directory } = made;

  const first = leases.lock("qwen");
  expect(first.kind).toBe("acquired");
  expect(leases.lock("qwen")).toMatchObject({ kind: "held", holder: { pid: process.pid } });
  if (first.kind === "acquired") first.lock.release();

  mkdirSync(directory, { recursive: true });
  const dead = { pid: process.pid, boot_id: "another", process_start: null, address: null };
  writeFileSync(file("qwen.lock"), JSON.stringify(dead));
  expect(leases.lock("qwen").kind).toBe("acquired");
});

test("a change is on disk with its history, and only what changed is", async () => {
  using made = rig();
  const { leases, clock, json } = made;
  await leases.create(someLease({ phase: "starting" }));
  clock.move(1000);

  const lease = await leases.update("qwen", () => ({ phase: "ready", event: "it answers" }));

  expect(lease).toMatchObject({
    phase: "ready",
    phase_at: CREATED + 1000,
    events: [{ at: CREATED + 1000, what: "it answers" }],
  });
  expect(json("qwen.json")).toMatchObject({ ...lease });
});

test("changes of one lease come one after the other", async () => {
  using made = rig();
  const { leases } = made;
  await leases.create(someLease());

  await Promise.all(
    Array.from({ length: 20 }, () =>
      leases.update("qwen", ({ liveness_misses }) => ({ liveness_misses: liveness_misses + 1 })),
    ),
  );

  expect(await leases.read("qwen")).toMatchObject({ lease: { liveness_misses: 20 } });
});

test("the history keeps the last 50 events", async () => {
  using made = rig();
  const { leases } = made;
  await leases.create(someLease());
  for (let n = 1; n <= 52; n++) await leases.update("qwen", () => ({ event: `event ${n}` }));

  const file = await leases.read("qwen");

  const events = file?.kind === "lease" ? file.lease.events : [];
  expect([events.length, events[0]?.what, events.at(-1)?.what]).toEqual([
    50,
    "event 3",
    "event 52",
  ]);
});

test("T17: what a later version wrote survives a change, at every level", async () => {
  using made = rig();
  const { leases, file, json, directory } = made;
  mkdirSync(directory, { recursive: true });
  const later = {
    ...someLease(),
    schema: 7,
    phase: "hibernating",
    region: { name: "eu" },
    watchdog: { ...someLease().watchdog, version: 3 },
    release: { ...someLease().release, reason: { code: 4 } },
  };
  writeFileSync(file("qwen.json"), JSON.stringify(later));

  const read = await leases.read("qwen");
  expect(read).toMatchObject({ kind: "lease", lease: { phase: "degraded" } });
  expect(read?.kind === "lease" ? read.doubts : []).toEqual([
    "its phase is unknown here and taken for degraded",
    "it was written by a later version",
  ]);
  await leases.update("qwen", ({ watchdog, release }) => ({
    last_activity_at: CREATED + 5,
    watchdog: watchdog === null ? null : { ...watchdog, seen_at: CREATED + 5 },
    release: { ...release, attempts: 2 },
  }));

  expect(json("qwen.json")).toMatchObject({
    schema: 7,
    phase: "hibernating",
    region: { name: "eu" },
    last_activity_at: CREATED + 5,
    watchdog: { version: 3, seen_at: CREATED + 5 },
    release: { attempts: 2, reason: { code: 4 } },
  });
});

test.each<{ what: string; text: string; reason: string }>([
  { what: "empty", text: "", reason: "no JSON object" },
  { what: "torn", text: JSON.stringify(someLease()).slice(0, 400), reason: "no JSON object" },
  { what: "a list", text: "[]", reason: "no JSON object" },
  {
    what: "of another name",
    text: JSON.stringify(someLease({ name: "other" })),
    reason: "another name",
  },
  {
    what: "without hard deadline",
    text: JSON.stringify({ ...someLease(), hard_deadline: undefined }),
    reason: "`hard_deadline` is missing",
  },
  {
    what: "of a phase that is no word",
    text: JSON.stringify({ ...someLease(), phase: 3 }),
    reason: "`phase`",
  },
  { what: "huge", text: " ".repeat(1024 * 1024 + 1), reason: "larger than 1 MiB" },
])("T17: a file that is $what stays, is listed, and blocks its name", async (row) => {
  using made = rig();
  const { leases, file, directory } = made;
  mkdirSync(directory, { recursive: true });
  writeFileSync(file("qwen.json"), row.text);

  expect(await leases.list()).toEqual([
    { kind: "unreadable", name: "qwen", reason: expect.stringContaining(row.reason) },
  ]);
  expect(await leases.create(someLease())).toBe(false);
  expect(await failureOf(leases.update("qwen", () => ({})))).toMatchObject({ kind: "unreadable" });
  expect(await failureOf(leases.archive("qwen"))).toMatchObject({ kind: "unreadable" });
  expect(readFileSync(file("qwen.json"), "utf8")).toBe(row.text);
});

test("a field that can be done without is forgiven, named, and left as it is", async () => {
  using made = rig();
  const { leases, file, json, directory } = made;
  mkdirSync(directory, { recursive: true });
  const damaged = { ...someLease(), watchdog: "yes", plan: undefined, sku: "B300" };
  writeFileSync(file("qwen.json"), JSON.stringify(damaged));

  expect(await leases.read("qwen")).toMatchObject({
    kind: "lease",
    lease: { watchdog: null, plan: null, sku: "B300" },
    doubts: ["`watchdog` makes no sense and is left out"],
  });
  await leases.update("qwen", () => ({ liveness_misses: 1 }));
  expect(json("qwen.json")).toMatchObject({ watchdog: "yes" });
});

test("files and folders of others are listed or passed over, never touched", async () => {
  using made = rig();
  const { leases, file, directory } = made;
  mkdirSync(file("folder.json"), { recursive: true });
  for (const name of ["Foo Bar.json", "notes.txt", "qwen.lock"]) writeFileSync(file(name), "{}");
  await leases.create(someLease());
  await leases.sweep();

  expect((await leases.list()).map(({ kind, name }) => [kind, name])).toEqual([
    ["unreadable", "Foo Bar"],
    ["unreadable", "folder"],
    ["lease", "qwen"],
  ]);
  expect(readdirSync(directory)).toHaveLength(5);
});

test.each(["", "-a", "a/b", "A", "a_b", "../x", "a".repeat(40), "ä"])(
  "`%s` is no name for a runtime",
  async (name) => {
    using made = rig();
    const { leases } = made;

    expect(await failureOf(leases.create(someLease({ name })))).toMatchObject({
      kind: "forbidden",
    });
    expect(await leases.read(name)).toBeNull();
  },
);

test("a directory that does not exist holds no leases, and looking does not make it", async () => {
  using made = rig();
  const { leases, directory } = made;

  expect([await leases.list(), await leases.read("qwen")]).toEqual([[], null]);
  await leases.sweep();
  expect(existsSync(directory)).toBe(false);
});

test("nothing is called released without proof", async () => {
  using made = rig();
  const { leases } = made;
  await leases.create(someLease({ phase: "stopping" }));

  const unproven = leases.update("qwen", () => ({ phase: "stopped" }));
  expect(await failureOf(unproven)).toMatchObject({ kind: "forbidden" });
  expect(await failureOf(leases.archive("qwen"))).toMatchObject({ kind: "forbidden" });
  await leases.update("qwen", ({ release }) => ({
    phase: "stopped",
    release: { ...release, proof: PROOF },
  }));
  await leases.archive("qwen");

  expect(await leases.list()).toEqual([]);
  expect(await leases.create(someLease())).toBe(true);
});

test("archived leases stay readable, the newest hundred", async () => {
  using made = rig();
  const { leases, directory, clock } = made;
  const release = { ...someLease().release, proof: PROOF };
  for (let n = 0; n < 102; n++) {
    clock.move(1);
    await leases.create(someLease({ phase: "stopped", release }));
    await leases.archive("qwen");
  }

  const kept = readdirSync(join(directory, "released")).toSorted();
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([
    100,
    `${CREATED + 3}-qwen.json`,
    `${CREATED + 102}-qwen.json`,
  ]);
});

test("T3: a directory that cannot be written refuses before anything is asked of Colab", async () => {
  using made = rig();
  const { directory, clock } = made;
  // A file where the directory should be stops root too, which a mode does not.
  mkdirSync(join(directory, ".."), { recursive: true });
  writeFileSync(directory, "");
  const leases = openLeases({ directory, clock, takeLock: acquireServeLock });

  const failure = await failureOf(leases.create(someLease()));

  expect(failure).toBeInstanceOf(LeaseError);
  expect(failure).toMatchObject({
    kind: "unwritable",
    message: expect.stringContaining("VERIROUTE_STATE_DIR"),
  });
});

test("W1: what a write left that was cut short goes after a minute, the lease stays", async () => {
  using made = rig();
  const { leases, file, directory, clock } = made;
  await leases.create(someLease());
  for (const [name, age] of [
    [".old.tmp", 2 * MINUTE],
    [".new.tmp", MINUTE / 2],
  ] as const) {
    writeFileSync(file(name), "{");
    const at = (clock.now() - age) / 1000;
    utimesSync(file(name), at, at);
  }

  await leases.sweep();

  expect(readdirSync(directory).toSorted()).toEqual([".new.tmp", "qwen.json"]);
});

test.each<Partial<Lease>>([
  { hard_deadline: CREATED + 9 * HOUR },
  { name: "other" },
  { created_at: CREATED + HOUR },
])("%p is fixed once the lease exists", async (change) => {
  using made = rig();
  const { leases } = made;
  await leases.create(someLease());

  expect(await failureOf(leases.update("qwen", () => change))).toMatchObject({ kind: "forbidden" });
  expect(await leases.read("qwen")).toMatchObject({
    lease: { name: "qwen", created_at: CREATED, hard_deadline: CREATED + 4 * HOUR },
  });
});
