import type { Price } from "../../src/catalog/model-card.ts";
import type { Contender } from "../../src/routing/member.ts";
import { createMember } from "../../src/routing/member.ts";
import { type Balance, NO_SIGNALS, UNKNOWN_CARD } from "../../src/routing/signals.ts";

export interface ContenderParts {
  readonly latency_ms?: number | null;
  readonly in_flight?: number;
  readonly weight?: number;
  /** Left in US dollars, or in credits. */
  readonly usd?: number;
  readonly credits?: number;
  /** USD per million tokens of input and of output. */
  readonly price?: readonly [input: number | null, output: number | null];
}

/** An eligible contender called `name` of which only `parts` is known. */
export function contender(name: string, parts: ContenderParts = {}): Contender {
  const { latency_ms = null, in_flight = 0, weight = 1, price } = parts;
  const place = { instance: name, model: "m" };
  return {
    member: createMember({ place, params: { weight }, instance: null, reasons: [] }),
    reasons: [],
    signals: {
      ...NO_SIGNALS,
      latency_ms,
      in_flight,
      balance: balanceOf(parts),
      card: { ...UNKNOWN_CARD, price: priceOf(price) },
    },
  };
}

function balanceOf({ usd, credits }: ContenderParts): Balance | null {
  if (usd !== undefined) return { amount: usd, unit: "usd", at: 0 };
  return credits === undefined ? null : { amount: credits, unit: "credits", at: 0 };
}

function priceOf(
  [input_usd, output_usd]: readonly [number | null, number | null] = [null, null],
): Price {
  return { input_usd, output_usd, cached_input_usd: null };
}

/** Their names, in order. */
export function namesOf(contenders: readonly Contender[]): string[] {
  return contenders.map(({ member }) => member.target.instance);
}
