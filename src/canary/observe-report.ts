import { targetKey } from "../address/target.ts";
import { type EndpointKey, endpointKey } from "./endpoints/endpoint.ts";
import { DAY_MS } from "./ladder/state.ts";
import { type Answerer, isItsOwn } from "./probes/answered-by.ts";
import type { CanaryRoundRow, SuspensionRow } from "./rows.ts";

/** Live answers of one endpoint in a stretch of time, by whether they counted as bad. */
export interface LiveTally {
  /** A host is called as its answers call it. */
  readonly endpoint: EndpointKey;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly good: number;
  readonly bad: number;
}

/**
 * What became of an endpoint that would have been suspended, had it been: `borne_out` it went on failing,
 * `not_borne_out` it did not, `unclear` too little was seen.
 */
export type Hindsight = "borne_out" | "not_borne_out" | "unclear";

export interface ObservedSuspension {
  readonly endpoint: EndpointKey;
  readonly at: number;
  readonly until_at: number;
  readonly detail: string | null;
  readonly hindsight: Hindsight;
  /** Rounds that judged it, and live answers, within a day of it. */
  readonly rounds: { readonly passed: number; readonly failed: number };
  readonly live: { readonly good: number; readonly bad: number };
}

export interface ObserveReport {
  readonly suspensions: readonly ObservedSuspension[];
  readonly counts: Readonly<Record<Hindsight, number>>;
  /** Of those that can be told, the share that was not borne out; null if none can. */
  readonly wrong_ratio: number | null;
}

export interface ObserveHistory {
  readonly rounds: readonly CanaryRoundRow[];
  readonly suspensions: readonly SuspensionRow[];
  readonly live: readonly LiveTally[];
  /** Everything that was watched. */
  readonly endpoints: readonly EndpointKey[];
}

/** Later than this an endpoint may have changed for reasons of its own. */
const WINDOW_MS = DAY_MS;
/** So much must have been seen before anything is said. */
const MIN_ROUNDS = 4;
const MIN_LIVE = 20;
/** So much of it bad bears a suspension out. */
const FAILING_SHARE = 0.25;
const BAD_LIVE_SHARE = 0.05;

/** Who would have been suspended, and how often that would have been wrong, as far as can be told. */
export function observeReport({
  rounds,
  suspensions,
  live,
  endpoints,
}: ObserveHistory): ObserveReport {
  const observed = suspensions
    .filter(({ kind }) => kind === "would_suspend")
    .map((row): ObservedSuspension => {
      const { endpoint, at, detail } = row;
      const until_at = row.until_at ?? at;
      const end = Math.min(at + WINDOW_MS, until_at);
      const later = laterRounds(rounds, endpoint, { from: at, to: end });
      const own = answererOf(row);
      const all = endpoints.flatMap((one) => siblingOf(own, one));
      const seen = tally(
        live.filter((one) => isWithin(one, at, end) && isItsOwn(one.endpoint, own, all)),
      );
      const hindsight = judge(later, seen);
      return { endpoint, at, until_at, detail, hindsight, rounds: later, live: seen };
    })
    .toSorted((a, b) => a.at - b.at);
  const count = (wanted: Hindsight) =>
    observed.filter(({ hindsight }) => hindsight === wanted).length;
  const counts = {
    borne_out: count("borne_out"),
    not_borne_out: count("not_borne_out"),
    unclear: count("unclear"),
  };
  const told = counts.borne_out + counts.not_borne_out;
  return {
    suspensions: observed,
    counts,
    wrong_ratio: told === 0 ? null : counts.not_borne_out / told,
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

function laterRounds(
  rounds: readonly CanaryRoundRow[],
  endpoint: EndpointKey,
  { from, to }: Stretch,
) {
  const later = rounds.filter(
    (row) =>
      row.endpoint === endpoint &&
      row.role === "watched" &&
      row.ended_at > from &&
      row.ended_at <= to,
  );
  return {
    passed: later.filter(({ result }) => result === "pass").length,
    failed: later.filter(({ result }) => result === "fail").length,
  };
}

function isWithin({ from, to }: LiveTally, since: number, until: number): boolean {
  return from >= since && to <= until;
}

function tally(tallies: readonly LiveTally[]): ObservedSuspension["live"] {
  return {
    good: tallies.reduce((sum, { good }) => sum + good, 0),
    bad: tallies.reduce((sum, { bad }) => sum + bad, 0),
  };
}

function answererOf({ instance, model, host }: SuspensionRow): Answerer {
  return { target: targetKey({ instance, model }), host, host_name: null };
}

/** An endpoint of the same target, by its key. */
function siblingOf({ target }: Answerer, endpoint: EndpointKey): readonly Answerer[] {
  const prefix = endpointKey(target, "");
  if (!endpoint.startsWith(prefix)) return [];
  return [{ target, host: endpoint.slice(prefix.length), host_name: null }];
}

function judge(rounds: ObservedSuspension["rounds"], live: ObservedSuspension["live"]): Hindsight {
  const judged = rounds.passed + rounds.failed;
  const answers = live.good + live.bad;
  const isLiveBad = answers >= MIN_LIVE && live.bad / answers >= BAD_LIVE_SHARE;
  if (isLiveBad || (judged >= MIN_ROUNDS && rounds.failed / judged >= FAILING_SHARE)) {
    return "borne_out";
  }
  return judged >= MIN_ROUNDS ? "not_borne_out" : "unclear";
}
