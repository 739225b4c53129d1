import type { ProbeResult } from "../../../../src/canary/contracts/contract.ts";
import { applyRound } from "../../../../src/canary/ladder/apply-round.ts";
import { lift } from "../../../../src/canary/ladder/lift.ts";
import {
  EMPTY_FLEET,
  type EndpointState,
  type Fleet,
} from "../../../../src/canary/ladder/state.ts";
import type { CanaryMode, CanaryRoundRow, SuspensionRow } from "../../../../src/canary/rows.ts";

const MINUTE = 60_000;
export const INTERVAL = 30 * MINUTE;
export const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 4, 1, 8);

export interface PlayedRound {
  /** By host: how it came out. Hosts that are left out are gone. */
  readonly results: Readonly<Record<string, ProbeResult>>;
  readonly excluded?: readonly string[];
  readonly mode?: CanaryMode;
  /** Language in which a failing host failed. */
  readonly locale?: string;
  /** Ms since the round before. */
  readonly after?: number;
}

function rowsOf(
  { results, excluded = [], mode = "enforce", locale = "pt" }: PlayedRound,
  about: { readonly n: number; readonly ended_at: number },
): CanaryRoundRow[] {
  return Object.entries(results).map(([host, result]) => ({
    round_id: `round-${about.n}`,
    round_n: about.n,
    role: "watched",
    endpoint: `or:a/m@${host}`,
    instance: "or",
    model: "a/m",
    host,
    groups: ["or:a/m"],
    is_production: !excluded.includes(host),
    mode,
    started_at: about.ended_at - MINUTE,
    ended_at: about.ended_at,
    interval_ms: INTERVAL,
    result,
    outcomes: [
      {
        contract: "language",
        locale,
        result,
        reason: result === "fail" ? "code_mixing" : null,
        ...(result === "fail" && { detected: "es" }),
      },
    ],
  }));
}

/** A fleet of one model's hosts, moved round by round. */
export function playFleet() {
  let fleet: Fleet = EMPTY_FLEET;
  let now = START;
  let n = 0;
  const rows: CanaryRoundRow[] = [];
  const events: SuspensionRow[] = [];

  return {
    fleet: () => fleet,
    now: () => now,
    rows,
    events,

    round(played: PlayedRound): readonly SuspensionRow[] {
      now += played.after ?? INTERVAL;
      n++;
      const round = rowsOf(played, { n, ended_at: now });
      const applied = applyRound(fleet, round);
      fleet = applied.fleet;
      rows.push(...round);
      events.push(...applied.events);
      return applied.events;
    },

    lift(host: string, forgives = false): void {
      now += MINUTE;
      const applied = lift(fleet, { endpoint: `or:a/m@${host}`, at: now, forgives });
      if (applied === undefined) throw new Error(`no host ${host}`);
      fleet = applied.fleet;
      events.push(...applied.events);
    },

    state(host: string): EndpointState {
      const state = fleet.endpoints.get(`or:a/m@${host}`);
      if (state === undefined) throw new Error(`no host ${host}`);
      return state;
    },
  };
}

export type PlayedFleet = ReturnType<typeof playFleet>;

/** Such as `a suspended 1d`: what happened to whom, those that merely came and went left out. */
export function told(events: readonly SuspensionRow[]): string[] {
  return events
    .filter(({ kind }) => kind !== "appeared" && kind !== "vanished")
    .map(({ kind, host, until_at, at }) => {
      const isTimed = (kind === "suspended" || kind === "would_suspend") && until_at !== null;
      return `${host} ${kind}${isTimed ? ` ${(until_at - at) / DAY}d` : ""}`;
    });
}
