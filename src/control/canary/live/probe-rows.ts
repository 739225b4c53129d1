import type { ProbeVerdict } from "../../../canary/contracts/contract.ts";
import type { Probe } from "../../../canary/probes/probe.ts";
import type { ProbeReply } from "../../../canary/probes/reply.ts";
import type { EndpointRole } from "../../../canary/rows.ts";
import type { Charge } from "../../../canary/spending/probe-cost.ts";
import type { StoredProbe } from "../../../store/canary-store.ts";

interface Sent {
  readonly probe: Probe;
  readonly round_id: string;
  readonly role: EndpointRole;
  /** Epoch ms. */
  readonly at: number;
}

/** A probe that is about to be sent, charged with the most it can cost. */
export function reservedRow({ probe, round_id, role, at }: Sent, worst: Charge): StoredProbe {
  const { endpoint, contract, locale, attempt } = probe;
  const { key, instance } = endpoint;
  return {
    round_id,
    role,
    endpoint: key,
    instance,
    contract,
    locale,
    attempt,
    at,
    ...UNANSWERED,
    charged_tokens: worst.tokens,
    charged_usd: worst.usd,
  };
}

const UNANSWERED = {
  result: null,
  reason: null,
  detected: null,
  ttft_ms: null,
  duration_ms: null,
  input_tokens: null,
  output_tokens: null,
} as const;

interface Judged {
  readonly reply: ProbeReply;
  readonly verdict: ProbeVerdict;
  readonly actual: Charge;
}

/** The same once it is answered and judged. */
export function settledRow(reserved: StoredProbe, { reply, verdict, actual }: Judged): StoredProbe {
  const charged = { charged_tokens: actual.tokens, charged_usd: actual.usd };
  const { result, reason } = verdict;
  const detected = verdict.detected ?? null;
  const judged = { ...reserved, ...charged, result, reason, detected };
  if (reply.kind === "failed") return judged;
  const { first_text_ms: ttft_ms, duration_ms, input_tokens, answer } = reply;
  return { ...judged, ttft_ms, duration_ms, input_tokens, output_tokens: answer.output_tokens };
}
