import { type Target, targetKey } from "../address/target.ts";
import { admit } from "../health/admission.ts";
import { tripState } from "../health/breaker.ts";
import { heldWhenPinned, type Obstacle } from "../health/eligibility.ts";
import type { ExclusionIndex } from "../health/exclusions.ts";
import type { Benched } from "../health/final-status.ts";
import type { SuspensionIndex } from "../health/suspensions.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import type { Clock } from "../lib/clock.ts";
import { isTriable } from "../routing/arrange.ts";
import type { Candidate, Reason } from "../routing/plan.ts";
import type { TargetSignals } from "../routing/signals.ts";
import type { BreakerView, Cooldown, TargetLoad } from "./client-request.ts";
import { benchesOf, type HealthMaps, type TargetState } from "./health-maps.ts";
import { benchedBy, obstaclesFrom } from "./obstacles.ts";

type ReasonsOf = (target: Target, pinned: boolean, stream?: boolean) => readonly Reason[];

export interface HealthView {
  /**
   * Layers 1 to 6 of a target; a pinned one skips what we imposed ourselves. Some half-open breakers
   * let a whole answer try, but no stream.
   */
  reasons: ReasonsOf;
  /** The same for many targets, all as of this moment. */
  look(): ReasonsOf;
  /** What keeps a target from serving for a time, for the status that a client is told. */
  benches(target: Target): readonly Benched[];
  /**
   * The candidate that may serve although nothing is eligible; null if there is none, or if another
   * request is trying it already. `after_failures`: others of the plan were tried. Changes nothing:
   * `claim` does.
   */
  lastResort(candidates: readonly Candidate[], asked: LastResort): Candidate | null;
  /** How busy and how fast a target is. */
  load(target: Target): Pick<TargetSignals, "in_flight" | "latency_ms">;
  /** Of every target that was tried. */
  loads(): readonly TargetLoad[];
  cooldowns(): readonly Cooldown[];
  breakers(): readonly BreakerView[];
}

interface LastResort {
  readonly stream: boolean;
  readonly after_failures: boolean;
}

interface ViewDependencies {
  readonly clock: Clock;
  readonly exclusions: () => ExclusionIndex;
  readonly suspensions: () => SuspensionIndex;
  readonly tripPolicy: () => TripPolicy;
  readonly isAsked?: (target: Target, signature: string) => boolean;
}

export function viewOf(maps: HealthMaps, dependencies: ViewDependencies): HealthView {
  const { clock } = dependencies;
  const look = obstaclesFrom(maps, dependencies);
  return {
    reasons: (target, pinned, stream) => reasonsFrom(look()(target, stream), pinned),
    look() {
      const obstacles = look();
      return (target, pinned, stream) => reasonsFrom(obstacles(target, stream), pinned);
    },
    benches: (target) => benchedBy(maps, target, clock.now()),
    lastResort(candidates, { stream, after_failures }) {
      const obstacles = look();
      const admission = admit(
        candidates.map((candidate) => [
          ...structural(candidate),
          ...obstacles(candidate.member, stream),
        ]),
        { after_failures },
      );
      return admission.kind === "degraded" ? (candidates[admission.index] ?? null) : null;
    },
    load(target) {
      const state = maps.targets.get(targetKey(target));
      return { in_flight: state?.inFlight ?? 0, latency_ms: state?.latency_ms ?? null };
    },
    loads: () => [...maps.targets.values()].map(loadOf),
    cooldowns: () =>
      [...maps.targets.values()].flatMap(({ target }) => cooldownsOf(maps, target, clock.now())),
    breakers: () =>
      maps.trips.list().map((trip) => Object.assign({ state: tripState(trip, clock.now()) }, trip)),
  };
}

const NOTHING: readonly never[] = [];

function reasonsFrom(obstacles: readonly Obstacle[], pinned: boolean): readonly Reason[] {
  if (obstacles.length === 0) return NOTHING;
  return (pinned ? heldWhenPinned(obstacles) : obstacles).map(({ reason }) => reason);
}

/** Layers that say what a target is, not how it fares. */
const STRUCTURAL: ReadonlySet<number> = new Set([0, 4, 7]);

/** What the plan holds against a candidate whatever its health. */
function structural({ reasons }: Candidate): Obstacle[] {
  return reasons
    .filter((reason) => STRUCTURAL.has(reason.layer) && !isTriable({ reasons: [reason] }))
    .map((reason) => ({ reason, yields: "never", is_tried: false }));
}

function cooldownsOf(maps: HealthMaps, target: Target, now: number): Cooldown[] {
  return benchesOf(maps, target, now).map(({ kind, scope, vendor_code, since_at, until_at }) => ({
    target: targetKey(target),
    scope,
    kind,
    vendor_code,
    since_at,
    until_at,
  }));
}

function loadOf({ target, inFlight, latency_ms }: TargetState): TargetLoad {
  return {
    target,
    in_flight: inFlight,
    latency_ms: latency_ms === null ? null : Math.round(latency_ms),
  };
}
