import { CONTRACTS } from "../contracts/contract.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointUse } from "../endpoints/exclude.ts";
import type { Fleet } from "../ladder/state.ts";
import { isOffered, type ProbeTopic } from "../probes/probe.ts";
import type { EndpointRole } from "../rows.ts";
import { localesOfRound } from "./locales.ts";
import type { ContractOutcome } from "./outcome.ts";
import { evidenceOf, isExercised, type LiveEvidenceIndex } from "./passive.ts";

/** An endpoint's part in a round. */
export interface PlannedEndpoint {
  readonly endpoint: Endpoint;
  readonly role: EndpointRole;
  readonly is_production: boolean;
  /** What is to be asked, in order, one after the other. */
  readonly topics: readonly ProbeTopic[];
  /** What live traffic has answered already. */
  readonly settled: readonly ContractOutcome[];
}

export interface RoundInput {
  readonly round_n: number;
  readonly fleet: Fleet;
  readonly endpoints: readonly { readonly endpoint: Endpoint; readonly use: EndpointUse }[];
  /** Hosts that are known to filter, which are asked about nothing else. */
  readonly controls: readonly Endpoint[];
  /** Languages to rotate through, and how many of them a round. */
  readonly locales: readonly string[];
  readonly locales_per_round: number;
  /** What live traffic showed; null where nothing is to be skipped. */
  readonly evidence: LiveEvidenceIndex | null;
}

/**
 * Who is asked what in a round: controls first, so that the worth of the question is known, then every
 * endpoint that is not shut out for good. A control that is watched, too, is not blamed for filtering.
 */
export function planRound(input: RoundInput): readonly PlannedEndpoint[] {
  const controls = input.controls.map((endpoint): PlannedEndpoint => {
    const topics = [{ contract: "filter", locale: null }] as const;
    return { endpoint, role: "control", is_production: false, topics, settled: [] };
  });
  const watched = input.endpoints
    .filter(({ use }) => use !== "off")
    .map(({ endpoint, use }) => planEndpoint(endpoint, use === "watched", input));
  return [...controls, ...watched];
}

function planEndpoint(
  endpoint: Endpoint,
  is_production: boolean,
  input: RoundInput,
): PlannedEndpoint {
  const { fleet, controls, locales, evidence } = input;
  const known = input.endpoints.map(({ endpoint: one }) => one);
  const state = fleet.endpoints.get(endpoint.key);
  const isControl = controls.some(({ key }) => key === endpoint.key);
  const spoken = localesOfRound(locales, {
    round_n: input.round_n,
    count: input.locales_per_round,
    repeat: state?.repeat_locale ?? null,
  });
  const wanted = CONTRACTS.filter((contract) => contract !== "filter" || !isControl)
    .filter((contract) => isOffered(endpoint, contract))
    .flatMap((contract): readonly ProbeTopic[] =>
      contract === "language"
        ? spoken.map((locale) => ({ contract, locale }))
        : [{ contract, locale: null }],
    );
  // Traffic clears nobody who is suspected: that is what the questions are for.
  const isSuspect = state !== undefined && (state.suspended !== null || state.fail_streak > 0);
  const live = isSuspect || evidence === null ? undefined : evidenceOf(endpoint, known, evidence);
  const isSettled = ({ contract }: ProbeTopic) => live !== undefined && isExercised(contract, live);
  const settled = wanted.filter(isSettled).map(({ contract, locale }): ContractOutcome => {
    return { contract, locale, result: "pass", reason: "live_traffic" };
  });
  const topics = wanted.filter((topic) => !isSettled(topic));
  return { endpoint, role: "watched", is_production, topics, settled };
}
