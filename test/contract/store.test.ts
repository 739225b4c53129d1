import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Decision } from "../../src/routing/decision.ts";
import type { AuditEntry, DecisionFilter, Store, StoredKey } from "../../src/store/store.ts";
import { attempt, decision } from "../support/decisions.ts";
import { failureOf, openTestStore } from "../support/open-store.ts";
import { storedState } from "../support/stored-state.ts";
import { tempDir } from "../support/temp-dir.ts";

const KEY: StoredKey = {
  id: "key-1",
  name: "laptop",
  scope: "admin",
  hash: "5e88",
  prefix: "vr-abcde",
  created_at: 1000,
  revoked_at: null,
  profile: null,
};

const entry = (at: number): AuditEntry => ({
  at,
  actor: "cli",
  action: "key.create",
  subject: `key-${at}`,
  detail: at % 2 ? "why" : null,
});

describe.each([{ where: "memory" }, { where: "a file" }])("in $where", ({ where }) => {
  const open = async () => {
    const folder = tempDir();
    const store = await openTestStore(
      where === "memory" ? ":memory:" : folder.file("s/veriroute.db"),
    );
    return Object.assign(store, {
      async [Symbol.asyncDispose]() {
        await store.close();
        folder[Symbol.dispose]();
      },
    });
  };

  test("a decision comes back as it was recorded, attempts in order", async () => {
    await using store = await open();
    const verification = {
      verdict: "mangled",
      signature: "double_encoding",
      detail: null,
      model_attributable: 0,
      trips: true,
      scope: "provider",
    } as const;
    const recorded = decision({
      asked: 'quote " zero \u0000 emoji 🧭',
      attempts: [
        attempt({ n: 1, target: "a:x", kind: "server", status: 500, verification }),
        attempt({ n: 2, target: "a:x", retry: true }),
        attempt({ n: 3, target: "b:y/z:free" }),
      ],
    });

    store.recordDecision(recorded);

    expect(await store.getDecision(recorded.id)).toEqual(recorded);
  });

  test("a second record of the same id replaces the first, attempts included", async () => {
    await using store = await open();
    const first = decision({ outcome: "in_progress", status: null, attempts: [] });
    const last: Decision = { ...first, outcome: "ok", status: 200, attempts: [attempt()] };

    store.recordDecision(first);
    await store.getDecision(first.id);
    store.recordDecision(last);
    store.recordDecision({ ...last, attempts: [attempt({ target: "b:y" })] });

    const { items } = await store.listDecisions({ limit: 10 });
    expect(items).toEqual([{ ...last, attempts: [attempt({ target: "b:y" })] }]);
    expect((await store.listDecisions({ limit: 10, target: "nim:qwen3-30b" })).items).toEqual([]);
  });

  test("an unknown id is null, an unknown cursor is refused", async () => {
    await using store = await open();

    expect(await store.getDecision("nobody")).toBeNull();
    const refused = store.listDecisions({ limit: 1, cursor: "nonsense" });
    expect(await failureOf(refused)).toMatchObject({ name: "StoreError", kind: "bad_cursor" });
  });

  test("a decision is a snapshot of the moment it was recorded", async () => {
    await using store = await open();
    const recorded = decision({ edits: ["model"] });

    store.recordDecision(recorded);
    recorded.edits.push("later");

    expect((await store.getDecision(recorded.id))?.edits).toEqual(["model"]);
  });

  test("a final decision is there for whoever asks next, after its earlier versions", async () => {
    await using store = await open();
    const first = decision({ outcome: "in_progress", status: null, attempts: [] });
    const last: Decision = { ...first, outcome: "ok", status: 200, attempts: [attempt()] };

    store.recordDecision(first);
    store.recordDecision(last, "final");
    expect(await store.getDecision(last.id)).toEqual(last);
    store.recordDecision({ ...last, status: 201 }, "final");

    expect((await store.listDecisions({ limit: 9 })).items).toEqual([{ ...last, status: 201 }]);
    expect(store.stats()).toMatchObject({ dropped: 0, queued: 0 });
  });

  test("closing writes final decisions that are not text yet", async () => {
    using folder = tempDir();
    const path = folder.file("veriroute.db");
    const store = await openTestStore(path);
    for (let n = 0; n < 300; n++) store.recordDecision(decision(), "final");
    await store.close();

    await using again = await openTestStore(path);
    expect((await again.listDecisions({ limit: 500 })).items).toHaveLength(300);
  });

  test("a value that cannot be stored is counted and takes nothing along", async () => {
    await using store = await open();
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const broken = Object.assign(decision(), { usage: loop });
    const shapeless = Object.assign(decision(), { outcome: null });

    store.recordDecision(broken);
    store.recordDecision(shapeless);
    store.recordDecision(decision({ id: "good" }));

    expect((await store.listDecisions({ limit: 9 })).items.map(({ id }) => id)).toEqual(["good"]);
    expect(store.stats()).toMatchObject({ dropped: 2, queued: 0, healthy: true, problem: null });
  });

  test("pages follow each other by time, newest first, each decision once", async () => {
    await using store = await open();
    const recorded = Array.from({ length: 25 }, (_, n) =>
      decision({ id: `d${String(n).padStart(2, "0")}`, at: 1000 + Math.floor(n / 3) }),
    );
    for (const one of recorded) store.recordDecision(one);

    const sizes: number[] = [];
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await store.listDecisions({ limit: 10, ...(cursor ? { cursor } : {}) });
      sizes.push(page.items.length);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }

    expect(sizes).toEqual([10, 10, 5]);
    expect(ids).toEqual(recorded.map(({ id }) => id).toReversed());
  });

  test("filters pick the decisions that a plain search would", async () => {
    await using store = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(decisions, { maxLength: 12 }),
        filters,
        async (recorded, filter) => {
          await store.prune({ before: Number.MAX_SAFE_INTEGER, max_size_bytes: 1e9 });
          for (const one of recorded) store.recordDecision(one);

          expect(await idsOf(store, filter)).toEqual(expectedIds(recorded, filter));
        },
      ),
      { numRuns: 150 },
    );
  }, 30_000);

  test("audit entries come back newest first, page by page", async () => {
    await using store = await open();
    for (const at of [1, 2, 3]) store.recordAudit(entry(at));

    const first = await store.listAudit({ limit: 2 });
    const second = await store.listAudit({ limit: 2, cursor: first.next ?? "" });

    expect(first.items).toEqual([entry(3), entry(2)]);
    expect(second).toEqual({ items: [entry(1)], next: null });
    const refused = store.listAudit({ limit: 1, cursor: "x" });
    expect(await failureOf(refused)).toMatchObject({ kind: "bad_cursor" });
  });

  test("a key is in the state as soon as it is added, and stays there revoked", async () => {
    await using store = await open();
    const seen: unknown[] = [];
    store.onStateChange((state) => seen.push(state));

    await store.addKey(KEY);
    const revoked = await store.revokeKey(KEY.id, 2000);

    expect(revoked).toBe(true);
    expect(await store.revokeKey(KEY.id, 3000)).toBe(false);
    expect(await store.revokeKey("nobody", 3000)).toBe(false);
    const after = storedState({ keys: [{ ...KEY, revoked_at: 2000 }] });
    expect(store.state()).toEqual(after);
    expect(seen).toEqual([storedState({ keys: [KEY] }), after]);
  });

  test("the profile of a key can be changed and taken away, but for one that is revoked", async () => {
    await using store = await open();
    await store.addKey(KEY);

    expect(await store.setKeyProfile(KEY.id, "frugal")).toBe(true);
    expect(store.state().keys).toEqual([{ ...KEY, profile: "frugal" }]);
    expect(await store.setKeyProfile(KEY.id, null)).toBe(true);
    expect(store.state().keys).toEqual([{ ...KEY, profile: null }]);
    await store.revokeKey(KEY.id, 2000);
    expect(await store.setKeyProfile(KEY.id, "frugal")).toBe(false);
    expect(await store.setKeyProfile("nobody", "frugal")).toBe(false);
    expect(store.state().keys).toEqual([{ ...KEY, profile: null, revoked_at: 2000 }]);
  });

  test("profiles and allowlist entries are there at once, replaced and removed by name", async () => {
    await using store = await open();

    await store.setProfile("frugal", '{"pool":"main"}');
    await store.setProfile("frugal", '{"pool":"other"}');
    await store.setProfile("also", "{}");
    const added = [await store.addAllowed("a:*"), await store.addAllowed("a:*")];

    expect(added).toEqual([true, false]);
    expect(store.state()).toEqual(
      storedState({
        profiles: { also: "{}", frugal: '{"pool":"other"}' },
        allowlist: ["a:*"],
      }),
    );
    const removed = [
      await store.deleteProfile("also"),
      await store.deleteProfile("also"),
      await store.removeAllowed("a:*"),
      await store.removeAllowed("a:*"),
    ];
    expect(removed).toEqual([true, false, true, false]);
    expect(store.state()).toEqual(storedState({ profiles: { frugal: '{"pool":"other"}' } }));
  });

  test("a key keeps its profile", async () => {
    await using store = await open();

    await store.addKey({ ...KEY, profile: "frugal" });

    expect(store.state().keys).toEqual([{ ...KEY, profile: "frugal" }]);
  });

  test("the same key twice is refused and changes nothing", async () => {
    await using store = await open();
    await store.addKey(KEY);

    expect(await failureOf(store.addKey({ ...KEY, name: "other" }))).toMatchObject({
      kind: "failed",
    });

    expect(store.state().keys).toEqual([KEY]);
  });

  test("an override is set, replaced and deleted", async () => {
    await using store = await open();

    await store.setOverride("log.level", '"debug"');
    await store.setOverride("routing.max_attempts", "5");
    await store.setOverride("log.level", '"warn"');
    expect(store.state().overrides).toEqual({
      "log.level": '"warn"',
      "routing.max_attempts": "5",
    });

    expect(await store.deleteOverride("log.level")).toBe(true);
    expect(await store.deleteOverride("log.level")).toBe(false);
    expect(store.state().overrides).toEqual({ "routing.max_attempts": "5" });
    expect(await failureOf(store.setOverride("a", "{"))).toMatchObject({ kind: "failed" });
  });

  test("prune deletes what is older than the limit", async () => {
    await using store = await open();
    for (let at = 0; at < 1200; at++) store.recordDecision(decision({ at }));

    const result = await store.prune({ before: 1100, max_size_bytes: 1e9 });

    expect(result.deleted).toBe(1100);
    const { items } = await store.listDecisions({ limit: 500 });
    expect(items.map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, n) => 1199 - n));
  });

  test("prune deletes the oldest until the rest fits, and gives the space back", async () => {
    await using store = await open();
    const detail = "x".repeat(2000);
    const reasons = [{ layer: 1, code: "excluded", detail, until_at: null }];
    const candidates = [{ target: "a:b", eligible: false, reasons, score: null }];
    const plan = { candidates, notes: [] };
    for (let at = 0; at < 3000; at++) store.recordDecision(decision({ at, plan }));
    await store.listDecisions({ limit: 1 });
    const before = store.stats().size_bytes;

    const result = await store.prune({ before: 0, max_size_bytes: 4_000_000 });

    expect(before).toBeGreaterThan(8_000_000);
    expect(result.size_bytes).toBeLessThanOrEqual(4_000_000);
    expect(store.stats().size_bytes).toBe(result.size_bytes);
    const { items } = await store.listDecisions({ limit: 500 });
    expect(items.map(({ at }) => at)).toEqual(Array.from({ length: 500 }, (_, n) => 2999 - n));
  });

  test("a size that cannot be reached empties the list and ends", async () => {
    await using store = await open();
    await store.addKey(KEY);
    store.recordDecision(decision());

    expect(await store.prune({ before: 0, max_size_bytes: 0 })).toMatchObject({ deleted: 1 });

    expect(store.state().keys).toEqual([KEY]);
  });

  test("closing writes what is queued, twice is once, and later rows are counted as dropped", async () => {
    await using store = await open();
    store.recordDecision(decision());

    const answer = store.listDecisions({ limit: 1 });
    await Promise.all([store.close(), store.close()]);
    store.recordDecision(decision());
    store.recordAudit(entry(1));

    expect((await answer).items).toHaveLength(1);
    expect(store.stats()).toMatchObject({ queued: 0, dropped: 2 });
    expect(await failureOf(store.getDecision("x"))).toMatchObject({ kind: "closed" });
  });
});

const MODELS = ["m", "n", "v/m:free"];
const targets = fc.constantFrom("a:m", "a:n", "b:m", "b:v/m:free");
const decisions: fc.Arbitrary<Decision> = fc
  .record({
    id: fc.uuid(),
    at: fc.integer({ min: 1, max: 4 }),
    asked: fc.constantFrom(...MODELS, "a:m", "auto"),
    served: fc.option(targets),
    status: fc.option(fc.constantFrom(200, 502)),
    tried: fc.array(targets, { maxLength: 2 }),
  })
  .map(({ tried, ...fields }) =>
    decision({ ...fields, attempts: tried.map((target) => attempt({ target })) }),
  );
const filters: fc.Arbitrary<DecisionFilter> = fc.record(
  {
    limit: fc.constant(3),
    model: fc.constantFrom(...MODELS, "a:m", "b:v/m:free", "none"),
    target: targets,
    status: fc.constantFrom(200, 502),
    from: fc.integer({ min: 1, max: 4 }),
    to: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ["limit"] },
);

async function idsOf(store: Store, filter: DecisionFilter): Promise<string[]> {
  const page = await store.listDecisions(filter);
  const ids = page.items.map(({ id }) => id);
  return page.next === null
    ? ids
    : [...ids, ...(await idsOf(store, { ...filter, cursor: page.next }))];
}

function expectedIds(recorded: readonly Decision[], filter: DecisionFilter): string[] {
  const { model, target, status, from = 0, to = 9 } = filter;
  return recorded
    .filter(
      ({ asked, served, at, ...one }) =>
        (model === undefined ||
          [asked, served, served?.slice(served.indexOf(":") + 1)].includes(model)) &&
        (target === undefined || one.attempts.some((a) => a.target === target)) &&
        (status === undefined || one.status === status) &&
        at >= from &&
        at < to,
    )
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}
