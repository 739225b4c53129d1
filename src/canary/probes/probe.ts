import type { JsonObject } from "../../protocol/openai/fields.ts";
import type { AskedFormat } from "../../verify/prompt/request-facts.ts";
import type { Contract } from "../contracts/contract.ts";
import { TTFT_LIMIT_MS } from "../contracts/judge-ttft.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { choosePrompt } from "../prompts/choose-prompt.ts";
import { structuredPrompt } from "../prompts/structured.ts";

/** Which question is asked. */
export interface ProbeTopic {
  readonly contract: Contract;
  /** A language's code for the contract `language`, else null. */
  readonly locale: string | null;
}

/** Which of the many wordings of it. */
export interface ProbeTurn {
  /** Number of the round, one higher each time. */
  readonly round_n: number;
  /** 1 for the question, 2 and 3 for its confirmations. */
  readonly attempt: number;
}

/** A request to one endpoint and to nobody else, ready to be sent. */
export interface Probe extends ProbeTopic, ProbeTurn {
  readonly endpoint: Endpoint;
  readonly prompt: string;
  readonly max_tokens: number;
  /** The form that the answer must have; null for text. */
  readonly format: AskedFormat | null;
  readonly stream: boolean;
  readonly limits: ProbeLimits;
  /** A chat body; what the provider's type wants otherwise is for whoever sends it. */
  readonly body: JsonObject;
}

/** When a probe is given up, ms since it was sent. */
export interface ProbeLimits {
  /** Without a status by then there is no answer to judge. */
  readonly status_ms: number;
  /** With a status, what has come by then is judged; a status that came later is judged at once. */
  readonly answer_ms: number;
  /** The same for an answer that has shown reasoning. */
  readonly reasoning_ms: number;
}

/** A host that sends its status with the first text must have the time to be late. */
const STATUS_LIMIT_MS = 30_000;
const ANSWER_LIMIT_MS = 90_000;

function limitsOf(contract: Contract): ProbeLimits {
  // Past the limit of the contract nothing can be in time any more.
  const answer_ms = contract === "ttft" ? TTFT_LIMIT_MS + 1 : ANSWER_LIMIT_MS;
  return { status_ms: STATUS_LIMIT_MS, answer_ms, reasoning_ms: ANSWER_LIMIT_MS };
}

/** Several times what a good answer needs, so that a cap explains no fault. */
const MAX_TOKENS: Readonly<Record<Contract, number>> = {
  ttft: 64,
  filter: 220,
  structured: 300,
  language: 400,
};
/** Thinking comes out of the same allowance. */
const REASONING_TOKENS = 800;

export function buildProbe(endpoint: Endpoint, topic: ProbeTopic, turn: ProbeTurn): Probe {
  const { contract } = topic;
  const { round_n, attempt } = turn;
  const asked = { contract, locale: topic.locale, endpoint: endpoint.key, round_n, attempt };
  const format = contract === "structured" ? structuredPrompt(asked) : null;
  const prompt = format === null ? choosePrompt(asked) : format.prompt;
  const max_tokens = MAX_TOKENS[contract] + (endpoint.reasoning === true ? REASONING_TOKENS : 0);
  // An answer may be repaired on its way in one form and not in the other.
  const stream = contract !== "structured" || (round_n + attempt) % 2 === 0;
  const probe = { prompt, max_tokens, stream, format: format?.format ?? null };
  const limits = limitsOf(contract);
  return { ...topic, ...turn, endpoint, ...probe, limits, body: bodyOf(endpoint, probe) };
}

function bodyOf(
  endpoint: Endpoint,
  {
    prompt,
    max_tokens,
    stream,
    format,
  }: Pick<Probe, "prompt" | "max_tokens" | "stream" | "format">,
): JsonObject {
  return {
    model: endpoint.model,
    messages: [{ role: "user", content: prompt }],
    ...(takes(endpoint, "temperature") && { temperature: 0 }),
    max_tokens,
    stream,
    ...(format !== null && {
      response_format: {
        type: "json_schema",
        json_schema: { name: "entry", strict: true, schema: format.schema },
      },
    }),
    ...(endpoint.reasoning === true && endpoint.host !== null && { reasoning: { effort: "low" } }),
    ...(endpoint.host !== null && { provider: pinTo(endpoint.host, format !== null) }),
  };
}

/** One host and no other; where the form matters, only if it takes every parameter. */
function pinTo(host: string, isStrict: boolean): JsonObject {
  return {
    only: [host],
    order: [host],
    allow_fallbacks: false,
    ...(isStrict && { require_parameters: true }),
  };
}

function takes({ supported }: Endpoint, parameter: string): boolean {
  return supported === null || supported.includes(parameter);
}

/** Whether an endpoint says that it can be asked for this; where nobody said, it is. */
export function isOffered({ supported }: Endpoint, contract: Contract): boolean {
  if (contract !== "structured" || supported === null) return true;
  return supported.includes("structured_outputs") || supported.includes("response_format");
}
