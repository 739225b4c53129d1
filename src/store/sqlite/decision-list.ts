import type { Database } from "bun:sqlite";

import type { DecisionFilter } from "../store.ts";
import type { DecisionPosition } from "./cursor.ts";

/** Rows of an index that a page looks at, at most, where none answers the whole filter: some tens of milliseconds. */
const WALK_ROWS = 5000;

type Bindings = Record<string, string | number | null>;

/** A part of an index, in the order of the list. */
interface Walk {
  readonly table: "decision" | "attempt";
  readonly index: string;
  readonly where: string;
  /** What the index leaves open of the filter, as conditions on the decision. */
  readonly open: readonly string[];
}

/** Walks that find between them everything that a filter picks. */
type Route = readonly Walk[];

interface Span {
  readonly filter: DecisionFilter;
  /** Where the page before ended. */
  readonly after: DecisionPosition | null;
  /** The last row to be looked at. */
  readonly end: DecisionPosition | null;
}

export interface Positions {
  /** Newest first. */
  readonly found: readonly DecisionPosition[];
  /** Where the next page begins, behind it. */
  readonly next: DecisionPosition | null;
}

/**
 * Positions after `after` that a filter picks. Of several filters the one is followed whose index reaches furthest
 * back within `WALK_ROWS` rows, and the others are looked up row by row. A page that has seen as many ends there,
 * possibly empty, and `next` goes on: it costs the same however long the history and however rare the matches.
 */
export function findPositions(
  db: Database,
  filter: DecisionFilter,
  after: DecisionPosition | null,
): Positions {
  const { route, end } = bestRoute(db, { filter, after, end: null });
  const rows = route.flatMap((walk) => walkRows(db, walk, { filter, after, end }));
  const found = distinct(rows.toSorted(newestFirst)).slice(0, filter.limit + 1);
  const last = found[filter.limit - 1];
  const goesOn = found.length > filter.limit && last !== undefined;
  return { found: found.slice(0, filter.limit), next: goesOn ? last : end };
}

interface BoundRoute {
  readonly route: Route;
  readonly end: DecisionPosition | null;
}

/** The first that comes to its own end in time, else the one that reaches furthest back. */
function bestRoute(db: Database, span: Span): BoundRoute {
  let best: BoundRoute | undefined;
  for (const route of routesOf(span.filter)) {
    const end = endOf(db, route, span);
    if (end === null) return { route, end };
    if (best?.end == null || newestFirst(end, best.end) > 0) best = { route, end };
  }
  return best ?? { route: [EVERYTHING], end: null };
}

/** Those over attempts come last: of a table without row numbers each step along an index costs a look-up. */
function routesOf({ model, target, status }: DecisionFilter): readonly Route[] {
  const byModel = model === undefined ? [] : modelWays(model);
  const checks = {
    model: byModel.length === 0 ? [] : [`(${byModel.map(({ means }) => means).join(" OR ")})`],
    target: target === undefined ? [] : [WAS_TRIED],
    status: status === undefined ? [] : ["decision.status = :status"],
  };
  const routes: Route[] = [];
  if (status !== undefined) {
    const where = "decision.status = :status";
    const open = [...checks.model, ...checks.target];
    routes.push([{ table: "decision", index: "decision_by_status", where, open }]);
  }
  if (byModel.length > 0) {
    const rest = [...checks.target, ...checks.status];
    routes.push(
      byModel.map(({ index, where, open }) => {
        return { table: "decision", index, where, open: [...open, ...rest] };
      }),
    );
  }
  if (target !== undefined) {
    const where = "attempt.target = :target";
    const open = [...checks.model, ...checks.status];
    routes.push([{ table: "attempt", index: "attempt_by_target", where, open }]);
  }
  return routes;
}

const EVERYTHING: Walk = { table: "decision", index: "decision_by_time", where: "TRUE", open: [] };

// The plus keeps SQLite from the index over targets, which would walk all attempts of one.
const WAS_TRIED = `EXISTS (SELECT 1 FROM attempt AS tried
  WHERE tried.decision_id = decision.id AND +tried.target = :target)`;

interface ModelWay {
  readonly index: string;
  readonly where: string;
  readonly open: readonly string[];
  /** As a condition on a decision that is at hand. */
  readonly means: string;
}

/** A model as it was asked for, as it is named at its instance, or as a whole target key. */
function modelWays(model: string): readonly ModelWay[] {
  const asked = "decision.asked = :model";
  const named = "decision.served_model = :model";
  const whole = "decision.served = :model";
  const index = "decision_by_served_model";
  const ways = [
    { index: "decision_by_asked", where: asked, open: [], means: asked },
    { index, where: named, open: [], means: named },
  ];
  if (!model.includes(":")) return ways;
  // The model half of a target key is what the index knows.
  return [...ways, { index, where: "decision.served_model = :tail", open: [whole], means: whole }];
}

/** The row at which a route stops in any case; null if it comes to its own end before. */
function endOf(db: Database, route: Route, span: Span): DecisionPosition | null {
  const ends = route.flatMap((walk) => {
    if (walk.open.length === 0) return [];
    const sql = walkQuery({ ...walk, open: [] }, span);
    using query = db.prepare<DecisionPosition, Bindings>(`SELECT ${sql} LIMIT 1 OFFSET :skip`);
    return query.all({ ...bindingsOf(span), skip: WALK_ROWS - 1 });
  });
  return ends.toSorted(newestFirst)[0] ?? null;
}

function walkRows(db: Database, walk: Walk, span: Span): DecisionPosition[] {
  const sql = walkQuery(walk, span);
  using query = db.prepare<DecisionPosition, Bindings>(`SELECT DISTINCT ${sql} LIMIT :rows`);
  return query.all({ ...bindingsOf(span), rows: span.filter.limit + 1 });
}

/** Positions in the order of the list: what follows `SELECT`, without a limit. */
function walkQuery({ table, index, where, open }: Walk, { filter, after, end }: Span): string {
  const [at, id] = [`${table}.at`, table === "attempt" ? "attempt.decision_id" : "decision.id"];
  // One bound at each side: of two SQLite would search by the wrong one.
  const isBehind = after !== null && (filter.to === undefined || after.at < filter.to);
  const conditions = [
    where,
    ...(isBehind ? [`(${at}, ${id}) < (:after_at, :after_id)`] : []),
    ...(isBehind || filter.to === undefined ? [] : [`${at} < :to`]),
    ...(end === null ? [] : [`(${at}, ${id}) >= (:end_at, :end_id)`]),
    ...(end !== null || filter.from === undefined ? [] : [`${at} >= :from`]),
    ...open,
  ];
  const isJoined = table === "attempt" && open.length > 0;
  const join = isJoined ? "CROSS JOIN decision ON decision.id = attempt.decision_id" : "";
  return `${at} AS at, ${id} AS id FROM ${table} INDEXED BY ${index} ${join}
    WHERE ${conditions.join(" AND ")} ORDER BY ${at} DESC, ${id} DESC`;
}

/** Values of every parameter that a statement may name. */
function bindingsOf({ filter, after, end }: Span): Bindings {
  const { limit: _limit, cursor: _cursor, model, ...values } = filter;
  return {
    ...values,
    ...(model === undefined ? {} : { model, tail: model.slice(model.indexOf(":") + 1) }),
    ...(after && { after_at: after.at, after_id: after.id }),
    ...(end && { end_at: end.at, end_id: end.id }),
  };
}

const newestFirst = (a: DecisionPosition, b: DecisionPosition): number =>
  b.at - a.at || (a.id < b.id ? 1 : -1);

/** Of neighbours that are the same decision, one. */
const distinct = (sorted: readonly DecisionPosition[]): DecisionPosition[] =>
  sorted.filter(({ id }, n) => id !== sorted[n - 1]?.id);
