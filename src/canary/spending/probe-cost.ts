import { costOf } from "../../catalog/cost.ts";
import type { Price } from "../../catalog/model-card.ts";
import type { Probe } from "../probes/probe.ts";
import type { ProbeReply } from "../probes/reply.ts";

export interface Charge {
  readonly tokens: number;
  readonly usd: number;
}

export const NOTHING: Charge = { tokens: 0, usd: 0 };

/** A price that nobody knows is taken for a high one, in USD per million tokens. */
const ASSUMED = { input_usd: 20, output_usd: 80 } as const;

/** What a gateway and a chat template add to a prompt, generously. */
const OVERHEAD_TOKENS = 64;

/** Whether the price of a probe is assumed rather than known. */
export function isAssumed({ input_usd, output_usd }: Price): boolean {
  return input_usd === null || output_usd === null;
}

function charge(price: Price, tokens: { readonly input: number; readonly output: number }): Charge {
  const known = {
    ...price,
    input_usd: price.input_usd ?? ASSUMED.input_usd,
    output_usd: price.output_usd ?? ASSUMED.output_usd,
  };
  const usage = { input_tokens: tokens.input, output_tokens: tokens.output };
  return { tokens: tokens.input + tokens.output, usd: costOf(usage, cardOf(known)) ?? 0 };
}

const cardOf = (price: Price) => ({
  window_tokens: null,
  max_output_tokens: null,
  price,
  source: "canary",
  as_of: null,
  capabilities: { tools: null, vision: null, json: null, reasoning: null },
});

const bytesOf = ({ body }: Probe) => new TextEncoder().encode(JSON.stringify(body)).length;

/** The most a probe can come to: no tokenizer makes more than one token of a byte. */
export function worstCharge(probe: Probe): Charge {
  return charge(probe.endpoint.price, {
    input: bytesOf(probe) + OVERHEAD_TOKENS,
    output: probe.max_tokens,
  });
}

/** What a probe usually comes to. */
export function usualCharge(probe: Probe): Charge {
  return charge(probe.endpoint.price, {
    input: Math.ceil(bytesOf(probe) / 4),
    output: Math.ceil(probe.max_tokens / 2),
  });
}

/** What a probe did come to; where the answer does not say, the most it can have been. */
export function chargeOf(probe: Probe, reply: ProbeReply): Charge {
  const worst = worstCharge(probe);
  // Nobody bills a request that was turned down; one that got lost, or broke off, may be billed in full.
  if (reply.kind === "failed") return (reply.status ?? 0) >= 400 ? NOTHING : worst;
  const { input_tokens, cost_usd, answer } = reply;
  if (input_tokens === null || answer.output_tokens === null) {
    return { ...worst, usd: cost_usd ?? worst.usd };
  }
  const used = charge(probe.endpoint.price, { input: input_tokens, output: answer.output_tokens });
  return { ...used, usd: cost_usd ?? used.usd };
}
