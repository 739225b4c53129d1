import { chatText } from "../../protocol/openai/answer-text.ts";
import {
  arrayOf,
  isFilledText,
  isVisible,
  type JsonObject,
  objectOf,
} from "../../protocol/openai/fields.ts";
import { readUsage, type TokenUsage } from "../../protocol/openai/usage.ts";
import { PLAIN_ANSWER } from "../../verify/answer-facts.ts";
import type { AnsweredReply } from "./reply.ts";

/** What only the bytes of the answer tell. */
export interface ReplyEnd {
  /** Ms since the probe was sent. */
  readonly at_ms: number;
  /** `[DONE]` came; null if the answer is no stream. */
  readonly is_done: boolean | null;
  readonly is_utf8: boolean;
}

/** Gathers a chat answer, whole or chunk by chunk. Of several choices the first counts. */
export function createReplyReader() {
  let reply: Omit<AnsweredReply, "kind" | "answer" | "duration_ms"> = NOTHING_YET;
  let answer = PLAIN_ANSWER;

  function readMessage(message: JsonObject, at_ms: number): void {
    const { text, first_text_ms, first_reasoning_ms } = reply;
    const delta = chatText(message);
    const reasons = isReasoning(message);
    reply = {
      ...reply,
      text: text + delta,
      first_text_ms: first_text_ms ?? (isVisible(delta) ? at_ms : null),
      first_reasoning_ms: first_reasoning_ms ?? (reasons ? at_ms : null),
    };
    answer = {
      ...answer,
      has_reasoning: answer.has_reasoning || reasons,
      has_refusal: answer.has_refusal || isFilledText(message["refusal"]),
      has_tool_calls: answer.has_tool_calls || arrayOf(message["tool_calls"]).length > 0,
    };
  }

  function takeUsage({ input_tokens, output_tokens, reasoning_tokens, cost }: TokenUsage): void {
    reply = { ...reply, input_tokens, cost_usd: cost ?? null };
    answer = { ...answer, output_tokens, reasoning_tokens: reasoning_tokens ?? null };
  }

  return {
    /** Takes in a chunk of a stream, or the one body of an answer that is none; ms since sending. */
    read(body: JsonObject, at_ms: number): void {
      const { provider } = body;
      if (isFilledText(provider)) reply = { ...reply, answered_by: provider };
      const usage = readUsage(body);
      if (usage !== undefined) takeUsage(usage);
      const choice = objectOf(arrayOf(body["choices"])[0]);
      const { finish_reason: finish } = choice;
      if (isFilledText(finish)) answer = { ...answer, finish };
      readMessage(objectOf(choice["delta"] ?? choice["message"]), at_ms);
    },

    /** Some of it was reasoning. */
    hasReasoning: () => answer.has_reasoning,

    end({ at_ms, is_done, is_utf8 }: ReplyEnd): AnsweredReply {
      const whole = { ...answer, is_done, is_utf8 };
      return { kind: "answered", ...reply, answer: whole, duration_ms: at_ms };
    },
  };
}

const NOTHING_YET = {
  answered_by: null,
  text: "",
  input_tokens: null,
  cost_usd: null,
  first_text_ms: null,
  first_reasoning_ms: null,
} as const;

function isReasoning(message: JsonObject): boolean {
  const { reasoning, reasoning_content: content, reasoning_details: details } = message;
  return isVisible(reasoning) || isVisible(content) || arrayOf(details).length > 0;
}
