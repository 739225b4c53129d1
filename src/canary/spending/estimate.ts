import { MAX_ATTEMPTS } from "../contracts/confirm.ts";
import type { Contract } from "../contracts/contract.ts";
import { DAY_MS } from "../ladder/state.ts";
import { buildProbe } from "../probes/probe.ts";
import type { PlannedEndpoint } from "../rounds/plan-round.ts";
import { type Charge, isAssumed, NOTHING, usualCharge, worstCharge } from "./probe-cost.ts";

/** One line of a dry run: what would be sent, and what it may cost. */
export interface PlannedProbe {
  readonly endpoint: string;
  readonly instance: string;
  readonly role: PlannedEndpoint["role"];
  readonly contract: Contract;
  readonly locale: string | null;
  readonly prompt: string;
  readonly max_tokens: number;
  readonly usual: Charge;
  readonly worst: Charge;
  /** Nobody knows the price; a high one is assumed. */
  readonly is_assumed: boolean;
}

/** Everything a round would send, confirmations of failures left out. */
export function dryRun(plan: readonly PlannedEndpoint[], round_n: number): readonly PlannedProbe[] {
  return plan.flatMap(({ endpoint, role, topics }) =>
    topics.map((topic) => {
      const probe = buildProbe(endpoint, topic, { round_n, attempt: 1 });
      const { key, instance, price } = endpoint;
      const { prompt, max_tokens } = probe;
      const costs = { usual: usualCharge(probe), worst: worstCharge(probe) };
      const about = { endpoint: key, instance, role, ...topic, prompt, max_tokens };
      return { ...about, ...costs, is_assumed: isAssumed(price) };
    }),
  );
}

/** What a day of rounds comes to at one provider. */
export interface ProviderEstimate {
  readonly instance: string;
  readonly probes: number;
  readonly usual: Charge;
  /** Every answer as long as allowed, and every question confirmed twice. */
  readonly worst: Charge;
  readonly is_assumed: boolean;
}

/** A day of rounds like this one, by provider. */
export function estimateDay(
  probes: readonly PlannedProbe[],
  interval_ms: number,
): readonly ProviderEstimate[] {
  const rounds = DAY_MS / interval_ms;
  return [...Map.groupBy(probes, ({ instance }) => instance)].map(([instance, own]) => ({
    instance,
    probes: Math.round(own.length * rounds),
    usual: sum(
      own.map(({ usual }) => usual),
      rounds,
    ),
    worst: sum(
      own.map(({ worst }) => worst),
      rounds * MAX_ATTEMPTS,
    ),
    is_assumed: own.some(({ is_assumed }) => is_assumed),
  }));
}

function sum(charges: readonly Charge[], times: number): Charge {
  const { tokens, usd } = charges.reduce(
    (all, one) => ({ tokens: all.tokens + one.tokens, usd: all.usd + one.usd }),
    NOTHING,
  );
  return { tokens: Math.round(tokens * times), usd: usd * times };
}
