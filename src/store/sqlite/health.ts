import type { Database } from "bun:sqlite";

import type { Trip } from "../../health/breaker.ts";
import type { StoredExclusion, TripId } from "../store.ts";
import { durably } from "./database.ts";

const EXCLUSION_COLUMNS = "id, scope, subject, reason, created_at, until_at";

/** In the order they were made. */
export function listExclusions(db: Database): StoredExclusion[] {
  return db
    .query<StoredExclusion, []>(
      `SELECT ${EXCLUSION_COLUMNS} FROM exclusion ORDER BY created_at, id`,
    )
    .all();
}

/** Replaces an exclusion of the same subject, and forgets those that ended before this one began. */
export function addExclusion(db: Database, exclusion: StoredExclusion): void {
  const { id, scope, subject, reason, created_at, until_at } = exclusion;
  durably(db, () => {
    db.query("DELETE FROM exclusion WHERE subject = :subject OR until_at <= :created_at").run({
      subject,
      created_at,
    });
    db.query(
      `INSERT INTO exclusion (${EXCLUSION_COLUMNS})
       VALUES (:id, :scope, :subject, :reason, :created_at, :until_at)`,
    ).run({ id, scope, subject, reason, created_at, until_at });
  });
}

/** False if there is none with this id. */
export function removeExclusion(db: Database, id: string): boolean {
  return durably(
    db,
    () => db.query("DELETE FROM exclusion WHERE id = :id").run({ id }).changes > 0,
  );
}

const TRIP_COLUMNS =
  "scope, subject, cause, detail, opened_at, until_at, reopened, clean, probed_at";

type TripRow = Omit<Trip, "clean" | "probed_at"> & {
  readonly clean: number | null;
  readonly probed_at: number | null;
};

export function listTrips(db: Database): Trip[] {
  return db
    .query<TripRow, []>(
      `SELECT ${TRIP_COLUMNS} FROM trip ORDER BY opened_at, scope, subject, cause`,
    )
    .all()
    .map(({ clean, probed_at, ...trip }) => {
      const progress = {
        ...(clean !== null && { clean }),
        ...(probed_at !== null && { probed_at }),
      };
      return Object.assign(trip, progress);
    });
}

/** Writes or replaces the trip of the same scope and cause. */
export function saveTrip(db: Database, trip: Trip): void {
  const { clean = null, probed_at = null, ...rest } = trip;
  db.query(
    `INSERT OR REPLACE INTO trip (${TRIP_COLUMNS})
     VALUES (:scope, :subject, :cause, :detail, :opened_at, :until_at, :reopened, :clean, :probed_at)`,
  ).run({ ...rest, clean, probed_at });
}

export function dropTrip(db: Database, { scope, subject, cause }: TripId): void {
  db.query("DELETE FROM trip WHERE scope = :scope AND subject = :subject AND cause = :cause").run({
    scope,
    subject,
    cause,
  });
}
