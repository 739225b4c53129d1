import { Value } from "@sinclair/typebox/value";

import { VerifierSection } from "../../src/config/schema-verifier.ts";
import { tripPolicy } from "../../src/control/trip-policy.ts";
import type { Trip } from "../../src/health/breaker.ts";
import type { HealthNotice } from "../../src/health/notices.ts";
import type { Mute } from "../../src/health/trips/mutes.ts";
import type { Observation } from "../../src/health/trips/observation.ts";
import { createLiveTrips, type LiveTrips } from "../../src/relay/live-trips.ts";
import { createSignatureWatch, type SignatureWatch } from "../../src/relay/signature-watch.ts";
import type { SavedTally } from "../../src/relay/tallies.ts";
import { SIGNATURES } from "../../src/verify/signatures/table.ts";
import { OK, UNVERIFIABLE, type Verdict } from "../../src/verify/verdict.ts";
import { type MovedClock, movedClock } from "./moved-clock.ts";

/** What an answer was found to be: a signature, or nothing. */
export type Answer = "ok" | "unverifiable" | (string & {});

type About = Partial<Pick<Observation, "stream" | "ascii" | "started_at" | "origin">>;

/** The trip rule as the router runs it, with time and chance in the test's hand. */
export interface SignatureRig {
  readonly clock: MovedClock;
  readonly watch: SignatureWatch;
  readonly trips: LiveTrips;
  readonly notices: readonly HealthNotice[];
  /** What would be found in the store. */
  readonly saved: { readonly tallies: Map<string, SavedTally>; readonly trips: Map<string, Trip> };
  readonly mutes: Mute[];
  /** One answer of `instance:model`; true if it counted. */
  answer(target: string, answer: Answer, about?: About): boolean;
}

interface RigOptions {
  readonly isDecodingSound?: () => boolean;
  readonly verifier?: Partial<VerifierSection>;
  readonly clock?: MovedClock;
  readonly random?: () => number;
  readonly tallies?: readonly SavedTally[];
  readonly openTrips?: readonly Trip[];
  /** By instance; its name if left out. */
  readonly hosts?: Readonly<Record<string, string>>;
}

export function signatureRig(options: RigOptions = {}): SignatureRig {
  const { clock = movedClock(), random = () => 0.5, hosts = {}, verifier = {} } = options;
  const section = Value.Default(VerifierSection, { ...verifier });
  if (!Value.Check(VerifierSection, section)) throw new Error("no such section");
  const policy = tripPolicy({ verifier: section });
  const notices: HealthNotice[] = [];
  const saved = { tallies: new Map<string, SavedTally>(), trips: new Map<string, Trip>() };
  const mutes: Mute[] = [];
  const notify = (notice: HealthNotice) => void notices.push(notice);
  const trips = createLiveTrips({
    keeper: {
      saved: options.openTrips ?? [],
      save: (trip) => void saved.trips.set(`${trip.subject} ${trip.cause}`, trip),
      drop: ({ subject, cause }) => void saved.trips.delete(`${subject} ${cause}`),
    },
    timingOf: () => policy.timing,
    notify,
    now: clock.now(),
  });
  const watch = createSignatureWatch({
    clock,
    random,
    policy: () => policy,
    trips,
    mutes: () => mutes,
    hostOf: (instance) => hosts[instance] ?? instance,
    keeper: {
      saved: options.tallies ?? [],
      save: (tallies) => {
        for (const tally of tallies) saved.tallies.set(tally.subject, tally);
      },
    },
    isDecodingSound: options.isDecodingSound ?? (() => true),
    notify,
  });
  return {
    clock,
    watch,
    trips,
    notices,
    saved,
    mutes,
    answer(target, answer, about = {}) {
      const [instance = "", model = ""] = target.split(/:(.*)/s);
      return watch.observe({
        target: { instance, model },
        verdict: verdictOf(answer),
        stream: false,
        ascii: { prompt: true, answer: false },
        started_at: clock.now(),
        origin: null,
        ...about,
      });
    },
  };
}

/** The verdict that a signature usually gives. */
function verdictOf(answer: Answer): Verdict {
  if (answer === "ok") return OK;
  if (answer === "unverifiable") return UNVERIFIABLE;
  const signature = SIGNATURES.find(({ name }) => name === answer);
  if (signature === undefined) throw new Error(`no signature ${answer}`);
  const { verdict, scope, trips } = signature;
  const attributable = scope !== null;
  return { verdict, signature: answer, scope, trips, attributable, detail: null };
}
