import type { JsonObject } from "../openai/fields.ts";
import type { OnLoss } from "../translate/answer-loss.ts";
import type { ResponsesTools } from "./response-tools.ts";

/** What an answer in the Responses form needs beside the answer. */
export interface ResponseContext {
  /** `resp_…`; the ids of its items are made from it. */
  readonly id: string;
  /** Epoch ms. */
  readonly created_at: number;
  /** The client's body, which a response repeats in part. */
  readonly request: JsonObject;
  readonly tools: ResponsesTools;
  /** Told the name of what a response has no room for, such as `audio`. */
  readonly onLoss?: OnLoss;
}

/** How far a response has come. */
export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly output: readonly JsonObject[];
  readonly model: string;
  readonly usage?: JsonObject | undefined;
  readonly service_tier?: string | undefined;
  /** Why it is incomplete. */
  readonly reason?: "max_output_tokens" | "content_filter" | undefined;
  readonly error?: JsonObject | undefined;
}

/** What is repeated from the request, with what stands there if the client said nothing. */
const REPEATED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: "disabled",
  user: null,
};

/** A whole response object. `store` is false whatever was asked: nothing can be fetched by its id. */
export function responseObject(context: ResponseContext, state: ResponseState): JsonObject {
  const { id, created_at, request } = context;
  const repeated = Object.entries(REPEATED).map(([name, value]) => [name, request[name] ?? value]);
  const { service_tier, reason } = state;
  return {
    id,
    object: "response",
    created_at: Math.floor(created_at / 1000),
    status: state.status,
    background: false,
    error: state.error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    model: state.model,
    output: state.output,
    previous_response_id: null,
    store: false,
    ...Object.fromEntries(repeated),
    ...(service_tier !== undefined && { service_tier }),
    usage: state.usage ?? null,
  };
}
