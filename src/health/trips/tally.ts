import { type Static, Type } from "@sinclair/typebox";

import { countBefore, countRecent, type Hours } from "./hours.ts";

const closed = { additionalProperties: false };
const HourCounts = Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]));
const InstantOrNull = Type.Union([Type.Integer(), Type.Null()]);

const SignatureRecord = Type.Object(
  {
    bad: HourCounts,
    /** Sum of the sequential test. */
    score: Type.Number(),
    /** Bad answers since the score was last 0. */
    hits: Type.Integer(),
    /** The last answer that counted, epoch ms. */
    last_at: Type.Integer(),
    /** The last bad one, epoch ms. */
    bad_at: InstantOrNull,
    /** Somebody was told that something may be wrong; until the score falls to 0. */
    is_warned: Type.Boolean(),
    /** Answers left of the sharper look that follows a trip. */
    probation: Type.Integer(),
    /** How often the last trip had opened again; null once that is forgotten. */
    level: Type.Union([Type.Integer(), Type.Null()]),
    /** Clean answers since it closed. */
    clean: Type.Integer(),
  },
  closed,
);

const ServedModel = Type.Object(
  { model: Type.String(), at: Type.Integer(), bad_at: InstantOrNull },
  closed,
);

/** A tally as it is kept across restarts. Holds no text of anyone. */
export const TallyRecord = Type.Object(
  {
    /** When it began to count, epoch ms: nothing is known of the time before. */
    since_at: Type.Integer(),
    clean: HourCounts,
    /** Of an instance: its models, the one used last at the end. */
    models: Type.Array(ServedModel),
    signatures: Type.Record(Type.String(), SignatureRecord),
  },
  closed,
);
export type TallyRecord = Static<typeof TallyRecord>;

/** What counts against a scope for one signature. Exists only once there was a hit. */
export interface SignatureTally extends Readonly<Omit<Static<typeof SignatureRecord>, "bad">> {
  readonly bad: Hours;
  /** Who got the latest bad answers; not kept across restarts. */
  readonly origins: readonly Origin[];
}

/** A client's request, as a hash. */
interface Origin {
  readonly hash: string;
  /** When it got a bad answer, epoch ms. */
  readonly at: number;
}

/** The baseline of one instance or target, and what is held against it. */
export interface Tally {
  readonly since_at: number;
  readonly clean: Hours;
  readonly models: readonly Readonly<Static<typeof ServedModel>>[];
  readonly signatures: Readonly<Record<string, SignatureTally>>;
}

export function newTally(now: number): Tally {
  return { since_at: now, clean: [], models: [], signatures: {} };
}

export const NO_HITS: SignatureTally = {
  bad: [],
  score: 0,
  hits: 0,
  last_at: 0,
  bad_at: null,
  is_warned: false,
  probation: 0,
  level: null,
  clean: 0,
  origins: [],
};

/** Nothing is left to remember. */
export function isSpent({ bad, score, probation, level }: SignatureTally, now: number): boolean {
  return score === 0 && probation === 0 && level === null && countRecent(bad, now) === 0;
}

/** Bad answers of a signature, and all answers, in the 24 hours before the current one. */
export function baselineOf(tally: Tally, signature: SignatureTally, now: number) {
  const bad = countBefore(signature.bad, now);
  return { bad, answers: bad + countBefore(tally.clean, now) };
}

export function toRecord({ since_at, clean, models, signatures }: Tally): TallyRecord {
  return {
    since_at,
    clean: mutable(clean),
    models: [...models],
    signatures: Object.fromEntries(
      Object.entries(signatures).map(([name, tally]) => [name, signatureRecord(tally)]),
    ),
  };
}

function signatureRecord(tally: SignatureTally): TallyRecord["signatures"][string] {
  const { score, hits, last_at, bad_at, is_warned, probation, level, clean } = tally;
  const bad = mutable(tally.bad);
  return { bad, score, hits, last_at, bad_at, is_warned, probation, level, clean };
}

/** Instants that are still to come, by a clock that was set back since, count as now. */
export function fromRecord(record: TallyRecord, now: number): Tally {
  const past = (at: number | null) => (at === null ? null : Math.min(at, now));
  return {
    ...record,
    since_at: Math.min(record.since_at, now),
    signatures: Object.fromEntries(
      Object.entries(record.signatures).map(([name, tally]) => [
        name,
        {
          ...tally,
          last_at: Math.min(tally.last_at, now),
          bad_at: past(tally.bad_at),
          origins: [],
        },
      ]),
    ),
  };
}

const mutable = (hours: Hours) => hours.map(([hour, count]): [number, number] => [hour, count]);
