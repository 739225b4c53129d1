import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";

import type {
  ProbeFilter,
  RoundFilter,
  SuspensionFilter,
} from "../../../src/store/canary-store.ts";
import { type Asked, page } from "../../../src/store/sqlite/canary-page.ts";
import { listProbes, listRounds, listSuspensions } from "../../../src/store/sqlite/canary-rows.ts";
import { observedSuspensions, pruneCanary } from "../../../src/store/sqlite/canary.ts";
import { IN_MEMORY, openDatabase } from "../../../src/store/sqlite/database.ts";
import { combinations, plansOf } from "../../support/query-plans.ts";

/** Along an index, or along the rows in the order of the list. */
const ORDERED =
  /^SEARCH (canary_round|canary_probe|suspension) USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY) /;
/** A round has few rows, which may be sorted. */
const OF_ROUND =
  /^(USE TEMP B-TREE FOR ORDER BY|SEARCH \w+ USING \w+ ?\w* sqlite_autoindex_\w+ \(round_id=\?.*)$/;

const common = { round_id: ["r"], endpoint: ["e"], result: ["fail"], cursor: ["9"] };

test("a list of the canary reads no table whole, whatever the filter", () => {
  using db = openDatabase(IN_MEMORY);
  const rounds = combinations<Omit<RoundFilter, "limit">>(common);
  const probes = combinations<Omit<ProbeFilter, "limit">>({ ...common, contract: ["ttft"] });
  const events = combinations<Omit<SuspensionFilter, "limit">>({
    endpoint: ["e"],
    kind: ["vanished"],
    cursor: ["9"],
  });

  const steps = plansOf(db, () => {
    for (const filter of rounds) listRounds(db, { ...filter, limit: 50 });
    for (const filter of probes) listProbes(db, { ...filter, limit: 50 });
    for (const filter of events) listSuspensions(db, { ...filter, limit: 50 });
  });

  expect(rounds.length + probes.length + events.length).toBe(16 + 32 + 8);
  expect(steps.filter((step) => !ORDERED.test(step) && !OF_ROUND.test(step))).toEqual([]);
});

test("where one column is asked for, its index leads to the rows", () => {
  using db = openDatabase(IN_MEMORY);

  const steps = plansOf(db, () => {
    listRounds(db, { limit: 50, result: "fail" });
    listProbes(db, { limit: 50, result: "fail" });
    listProbes(db, { limit: 50, contract: "ttft" });
    listSuspensions(db, { limit: 50, kind: "vanished" });
  });

  expect(steps.map((step) => step.replace(/ \(.*/, ""))).toEqual([
    "SEARCH canary_round USING INDEX canary_round_by_result",
    "SEARCH canary_probe USING INDEX canary_probe_by_result",
    "SEARCH canary_probe USING INDEX canary_probe_by_contract",
    "SEARCH suspension USING INDEX suspension_by_kind_n",
  ]);
});

test("a look back on the observe mode reads of each endpoint the day that it is about", () => {
  using db = openDatabase(IN_MEMORY);

  const steps = plansOf(db, () => observedSuspensions(db, 0));

  expect(steps.filter((step) => step.startsWith("SCAN canary_round"))).toEqual([]);
  expect(steps).toContain(
    "SEARCH canary_round USING INDEX canary_round_by_endpoint_end (endpoint=? AND ended_at>? AND ended_at<?)",
  );
});

/** Rounds 1 to `rows` of an endpoint `even` and an endpoint `odd`; every tenth fails, which is an even one. */
function fill(db: Database, rows: number): void {
  const put = db.query(
    `INSERT INTO canary_round (round_id, role, endpoint, round_n, ended_at, result, record)
     VALUES (:id, 'watched', :endpoint, :n, :n, :result, :id)`,
  );
  for (let n = 1; n <= rows; n++) {
    const endpoint = n % 2 === 0 ? "even" : "odd";
    put.run({ id: `r${n}`, n, endpoint, result: n % 10 === 0 ? "fail" : "pass" });
  }
}

const LISTING = {
  table: "canary_round",
  order: "id",
  columns: "record",
  read: ({ record }: { readonly record: string }) => record,
} as const;

/** What following `next` leads to, page by page. */
function pagesOf(db: Database, asked: Asked, walk_rows: number): string[][] {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const from = cursor ? { cursor } : {};
    const { items, next } = page(db, LISTING, { ...asked, ...from }, walk_rows);
    pages.push([...items]);
    cursor = next;
  } while (cursor !== null);
  return pages;
}

test.each<{ what: string; filter: Asked["filter"]; pages: string[][] }>([
  {
    what: "that are rare together lead on over empty pages",
    filter: { endpoint: "odd", result: "fail" },
    pages: [[], []],
  },
  {
    what: "that one index answers in time need one page",
    filter: { endpoint: "even", result: "fail" },
    pages: [["r40", "r30", "r20"], ["r10"]],
  },
  {
    what: "that are frequent together fill their pages",
    filter: { endpoint: "odd", result: "pass" },
    pages: [
      ["r39", "r37", "r35"],
      ["r33", "r31", "r29"],
      ["r27", "r25", "r23"],
      ["r21", "r19", "r17"],
      ["r15", "r13", "r11"],
      ["r9", "r7", "r5"],
      ["r3", "r1"],
    ],
  },
])("filters $what", ({ filter, pages }) => {
  using db = openDatabase(IN_MEMORY);
  fill(db, 40);

  expect(pagesOf(db, { limit: 3, filter }, 3)).toEqual(pages);
});

test("what is too old is deleted some rows at a time, the oldest first", () => {
  using db = openDatabase(IN_MEMORY);
  fill(db, 8);
  db.run("INSERT INTO canary_fleet (id, round_n, record) VALUES (1, 7, '{}')");
  const left = () =>
    db.query<{ id: number }, []>("SELECT id FROM canary_round ORDER BY id").values().flat();

  pruneCanary(db, 9, 3);
  const first = left();
  for (let times = 0; times < 3; times++) pruneCanary(db, 9, 3);

  expect(first).toEqual([4, 5, 6, 7, 8]);
  expect(left()).toEqual([8]);
});
