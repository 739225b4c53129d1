import type { Endpoint } from "../../../../src/canary/endpoints/endpoint.ts";
import type { AnsweredReply } from "../../../../src/canary/probes/reply.ts";
import { PLAIN_ANSWER } from "../../../../src/verify/answer-facts.ts";

export const PRICE = { input_usd: 1, output_usd: 4, cached_input_usd: null };

/** A host of OpenRouter's, but for what `facts` says. */
export function anEndpoint(facts: Partial<Endpoint> = {}): Endpoint {
  return {
    key: "or:a/m@deepinfra/fp8",
    instance: "or",
    model: "a/m",
    host: "deepinfra/fp8",
    host_name: "DeepInfra",
    groups: ["or:a/m"],
    price: PRICE,
    supported: ["temperature", "max_tokens", "response_format"],
    reasoning: false,
    ...facts,
  };
}

export function aReply(facts: Partial<AnsweredReply> = {}): AnsweredReply {
  return {
    kind: "answered",
    answered_by: "DeepInfra",
    text: "The boat drifted on, and nobody in the harbour said a word about it until the morning.",
    answer: { ...PLAIN_ANSWER, finish: "stop", is_done: true },
    input_tokens: 40,
    cost_usd: null,
    first_text_ms: 700,
    first_reasoning_ms: null,
    duration_ms: 2000,
    ...facts,
  };
}
