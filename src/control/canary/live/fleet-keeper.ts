import { type Applied, applyRound } from "../../../canary/ladder/apply-round.ts";
import { suspensionsInForce } from "../../../canary/ladder/in-force.ts";
import { type Lift, lift } from "../../../canary/ladder/lift.ts";
import { rebuildFleet } from "../../../canary/ladder/rebuild.ts";
import {
  DAY_MS,
  EMPTY_FLEET,
  type EndpointState,
  type Fleet,
} from "../../../canary/ladder/state.ts";
import type { CanaryMode, CanaryRoundRow, SuspensionRow } from "../../../canary/rows.ts";
import { dayOf } from "../../../canary/spending/budget.ts";
import type { HealthNotice } from "../../../health/notices.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { CanaryStore, ProbeCharge } from "../../../store/canary-store.ts";
import type { SuspensionBoard } from "../suspension-board.ts";
import { FLEET_FORM, fleetRecord, readFleet } from "./fleet-record.ts";
import { noticeOf, strengthChange } from "./notices.ts";

export interface KeeperDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly store: { readonly canary: CanaryStore };
  readonly board: Pick<SuspensionBoard, "put">;
  readonly mode: () => CanaryMode;
  readonly notify: (notice: HealthNotice) => void;
}

export interface FleetKeeper {
  fleet(): Fleet;
  /** Works the state out from what is stored, acts on what was not acted on; what today has cost. */
  load(): Promise<readonly ProbeCharge[]>;
  /** Loads again where something could not be stored; to be called before a round is planned. */
  catchUp(): Promise<void>;
  /** Stores a round, then what follows from it, then acts. Rejects with `StoreError`. */
  endRound(rows: readonly CanaryRoundRow[]): Promise<void>;
  /** Undefined for an endpoint that is not known. Rejects with `StoreError`. */
  lift(endpoint: string, forgives: boolean): Promise<EndpointState | undefined>;
  /** Puts what is suspended in force, as the mode says now. */
  enforce(): void;
}

/** What is known now. */
interface Cell {
  fleet: Fleet;
  /** What is stored is ahead of it. */
  is_behind: boolean;
  /** What was told last of the question about filters, by this process. */
  told_weak: boolean | null;
}

/**
 * The state of all endpoints. Rows are on disk before anything follows from them, and events before
 * anybody is told, so that a process that dies at any point is carried on from by the next one.
 */
export function createFleetKeeper(dependencies: KeeperDependencies): FleetKeeper {
  const inTurn = createTurns();
  const cell: Cell = { fleet: EMPTY_FLEET, is_behind: false, told_weak: null };
  return {
    fleet: () => cell.fleet,
    load: () => inTurn(() => load(cell, dependencies)),
    catchUp: () =>
      inTurn(async () => {
        if (cell.is_behind) await load(cell, dependencies);
      }),
    endRound: (round) => inTurn(() => endRound(round, cell, dependencies)),
    lift: (endpoint, forgives) => inTurn(() => liftNow({ endpoint, forgives }, cell, dependencies)),
    enforce: () => enforce(cell, dependencies),
  };
}

function enforce({ fleet }: Cell, { clock, board, mode }: KeeperDependencies): void {
  board.put(suspensionsInForce(fleet, mode(), clock.now()));
}

/** The new state, which `from` led to, and how it came about, on disk and then in force. */
async function keep(
  { fleet, events, from }: Applied & { readonly from: Fleet },
  cell: Cell,
  dependencies: KeeperDependencies,
): Promise<void> {
  const record = { round_n: fleet.last_round_n, record: fleetRecord(fleet) };
  const change = strengthChange(from, fleet);
  // No row of its own says that nobody was told of it, so that has to come before the state is kept.
  if (change !== null && change.notice.is_weak !== cell.told_weak) {
    dependencies.notify(change.notice);
    cell.told_weak = change.notice.is_weak;
  }
  const audit = change === null ? [] : [change.audit];
  await dependencies.store.canary.saveEvents({ events, audit, fleet: record });
  cell.fleet = fleet;
  enforce(cell, dependencies);
}

async function tell(
  events: readonly SuspensionRow[],
  dependencies: KeeperDependencies,
): Promise<void> {
  if (events.length === 0) return;
  for (const event of events) {
    const notice = noticeOf(event);
    if (notice !== null) dependencies.notify(notice);
  }
  const ids = events.map(({ id }) => id);
  await dependencies.store.canary.noteTold(ids, dependencies.clock.now());
}

async function load(cell: Cell, dependencies: KeeperDependencies): Promise<readonly ProbeCharge[]> {
  const { clock, store } = dependencies;
  const wanted = { charges_since: dayOf(clock.now()) * DAY_MS, form: FLEET_FORM };
  const saved = await store.canary.load(wanted);
  const from = saved.fleet === null ? EMPTY_FLEET : readFleet(saved.fleet);
  const rebuilt = rebuildFleet({ rounds: saved.rounds, suspensions: saved.lifts }, from);
  const isNew = saved.rounds.length > 0;
  if (isNew) await keep({ ...rebuilt, from }, cell, dependencies);
  cell.fleet = rebuilt.fleet;
  cell.is_behind = false;
  enforce(cell, dependencies);
  const { untold } = isNew ? await store.canary.load(wanted) : saved;
  await tell(untold, dependencies);
  return saved.charges;
}

async function endRound(
  round: readonly CanaryRoundRow[],
  cell: Cell,
  dependencies: KeeperDependencies,
): Promise<void> {
  // Until the events are stored, too, only the rows tell what the state is.
  cell.is_behind = true;
  await dependencies.store.canary.saveRound(round);
  const applied = applyRound(cell.fleet, round);
  await keep({ ...applied, from: cell.fleet }, cell, dependencies);
  cell.is_behind = false;
  const news = applied.events.filter(({ is_news }) => is_news);
  await tell(news, dependencies);
}

async function liftNow(
  { endpoint, forgives }: Pick<Lift, "endpoint" | "forgives">,
  cell: Cell,
  dependencies: KeeperDependencies,
): Promise<EndpointState | undefined> {
  if (cell.is_behind) await load(cell, dependencies);
  // A lift in the very moment a round ended comes after it.
  const at = Math.max(dependencies.clock.now(), (cell.fleet.last_round_at ?? 0) + 1);
  const lifted = lift(cell.fleet, { endpoint, at, forgives });
  if (lifted === undefined) return undefined;
  await dependencies.store.canary.saveEvents({ events: lifted.events, fleet: null });
  cell.fleet = lifted.fleet;
  enforce(cell, dependencies);
  await tell(lifted.events, dependencies);
  return cell.fleet.endpoints.get(endpoint);
}

/** One change after the other: each works on what the one before it left. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(change: () => Promise<T>): Promise<T> => {
    const turn = last.then(change);
    last = turn.catch(() => undefined);
    return turn;
  };
}
