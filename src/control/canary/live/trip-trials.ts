import type { Endpoint } from "../../../canary/endpoints/endpoint.ts";
import { suspensionsInForce } from "../../../canary/ladder/in-force.ts";
import type { Fleet } from "../../../canary/ladder/state.ts";
import { buildProbe, isOffered } from "../../../canary/probes/probe.ts";
import { dueTrip, isOn, nameOfTrip } from "../../../canary/trials/due-trip.ts";
import { trialObservation } from "../../../canary/trials/observation.ts";
import { trialTopic } from "../../../canary/trials/topic.ts";
import type { Trip } from "../../../health/breaker.ts";
import { signatureOf } from "../../../health/trips/recovery.ts";
import type { DataPlane } from "../../data-plane.ts";
import type { AskedTargets } from "../asked-targets.ts";
import { putQuestion } from "./question.ts";
import type { RoundDependencies } from "./run-round.ts";
import type { CanarySettings } from "./settings.ts";

export interface TripTrials {
  /** Begins to look for half-open breakers of what is watched. */
  start(): void;
  /** Settles when a question under way has ended, of which nothing follows. */
  stop(): Promise<void>;
}

export interface TrialBreakers {
  /** Trips by signature of targets that it watches are tried by the canary and not by clients. */
  readonly asked: Pick<AskedTargets, "follow">;
  readonly breakers: DataPlane["breakers"];
}

export interface TrialDependencies extends Omit<RoundDependencies, "keeper">, TrialBreakers {
  readonly keeper: { readonly fleet: () => Fleet };
  readonly settings: () => CanarySettings;
}

/** How often it is looked whether a breaker is half open. */
const LOOK_MS = 1000;
/** So long a breaker is left alone after a question that led nowhere. */
const REST_MS = 60_000;

/** Asks, one question at a time, whether what benches a watched target is over. */
export function createTripTrials(dependencies: TrialDependencies): TripTrials {
  const { clock, keeper, asked, breakers, log } = dependencies;
  const stopping = new AbortController();
  const not_before = new Map<string, number>();
  const ask = createTrial(dependencies, stopping.signal);
  let running: Promise<void> | null = null;
  let timer: Timer | undefined;

  async function settle(trip: Trip): Promise<void> {
    try {
      if (await ask(trip)) return;
    } catch (error) {
      log.warn({ error: String(error) }, "a breaker could not be asked about");
    }
    not_before.set(nameOfTrip(trip), clock.now() + REST_MS);
  }

  function next(): Trip | undefined {
    if (stopping.signal.aborted) return undefined;
    const watched = [...keeper.fleet().endpoints.values()].filter(({ is_present }) => is_present);
    return dueTrip(breakers.breakers(), { watched, not_before, now: clock.now() });
  }

  /** One question after the other, as long as they lead somewhere. */
  async function work(): Promise<void> {
    for (let trip = next(); trip !== undefined; trip = next()) await settle(trip);
    running = null;
  }

  function look(): void {
    if (running === null && next() !== undefined) running = work();
  }

  return {
    start() {
      asked.follow(keeper.fleet);
      timer = setInterval(look, LOOK_MS);
      timer.unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      asked.follow(null);
      await running;
    },
  };
}

/** Returns what asks one question about a trip; false if that led nowhere, or on to more of the fault. */
function createTrial(dependencies: TrialDependencies, signal: AbortSignal) {
  const { clock, breakers, scores, newId, settings } = dependencies;
  let turn = 0;
  return async (trip: Trip): Promise<boolean> => {
    turn++;
    const { locales } = settings();
    const topic = trialTopic(signatureOf(trip) ?? "", { locales, turn });
    const candidates = await endpointsOn(trip, dependencies, signal);
    const able = candidates.filter((endpoint) => isOffered(endpoint, topic.contract));
    const endpoint = able[turn % able.length];
    if (endpoint === undefined) return false;
    const probe = buildProbe(endpoint, topic, { round_n: turn, attempt: 1 });
    const round = { round_id: newId(), scores: await scores(), signal };
    const started_at = clock.now();
    const { reply } = await putQuestion(probe, { role: "watched", round }, dependencies);
    const observation = reply === null ? null : trialObservation(probe, reply, started_at);
    if (observation === null) return false;
    return breakers.tryOut(observation) && !observation.verdict.trips;
  };
}

/** Who can be asked in the name of what a trip benches: those that clients would get. */
async function endpointsOn(
  trip: Trip,
  { clock, find, keeper, settings }: TrialDependencies,
  signal: AbortSignal,
): Promise<readonly Endpoint[]> {
  const fleet = keeper.fleet();
  const suspended = suspensionsInForce(fleet, settings().mode, clock.now());
  const shut = new Set(suspended.map(({ endpoint }) => endpoint));
  const { endpoints } = await find(settings(), fleet, signal);
  return endpoints
    .filter(({ use }) => use === "watched")
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => isOn(trip, endpoint) && !shut.has(endpoint.key));
}
