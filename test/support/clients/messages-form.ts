import { argumentsOf, eventFrame, type Form, halves, type Said, STATUS, words } from "./form.ts";
import { type Call, type Failure, USAGE } from "./played.ts";

const head = { id: "msg_7", type: "message", role: "assistant", model: "m" };
const usage = { input_tokens: USAGE.input, output_tokens: USAGE.output };
const SIGNATURE = "c2lnbmVk";
const stopReason = ({ calls }: Said) => (calls.length > 0 ? "tool_use" : "end_turn");

const ERRORS: Readonly<Record<Failure, readonly [string, string]>> = {
  credit: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  rate: ["rate_limit_error", "This request would exceed your rate limit."],
  rate_wait: ["rate_limit_error", "This request would exceed your rate limit."],
  unavailable: ["overloaded_error", "Overloaded"],
  context: ["invalid_request_error", "prompt is too long: 5000 tokens > 4096 maximum"],
};

/** A content block: how it opens, and what is added to it. */
interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

export const messagesForm: Form = {
  whole: (said) => ({
    ...head,
    content: blocksOf(said).map(({ whole }) => whole),
    stop_reason: stopReason(said),
    stop_sequence: null,
    usage,
  }),

  frames(said) {
    const counted = { ...usage, output_tokens: 1 };
    const message = {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: counted,
    };
    const blocks = blocksOf(said).map((block, index) => blockFrames(block, index));
    return [eventFrame("message_start", { message }), eventFrame("ping"), ...blocks].join("");
  },

  ending(said) {
    const delta = { stop_reason: stopReason(said), stop_sequence: null };
    return eventFrame("message_delta", { delta, usage }) + eventFrame("message_stop");
  },

  breaking: eventFrame("error", { error: { type: "api_error", message: "the vendor broke" } }),

  failure(failure) {
    const [type, message] = ERRORS[failure];
    const status = failure === "unavailable" ? 529 : STATUS[failure];
    return { status, body: { type: "error", error: { type, message }, request_id: "r_7" } };
  },
};

function blocksOf({ text, thought, calls }: Said): readonly Block[] {
  return [
    ...(thought === null ? [] : [thinking(thought)]),
    ...(text === null ? [] : [textBlock(text)]),
    ...calls.map((call) => toolUse(call)),
  ];
}

const thinking = (thought: string): Block => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    { type: "thinking_delta", thinking: thought },
    { type: "signature_delta", signature: SIGNATURE },
  ],
  whole: { type: "thinking", thinking: thought, signature: SIGNATURE },
});

const textBlock = (text: string): Block => ({
  start: { type: "text", text: "" },
  deltas: words(text).map((word) => ({ type: "text_delta", text: word })),
  whole: { type: "text", text },
});

const toolUse = (call: Call): Block => ({
  start: { type: "tool_use", id: call.id, name: call.name, input: {} },
  deltas: halves(argumentsOf(call)).map((half) => ({
    type: "input_json_delta",
    partial_json: half,
  })),
  whole: { type: "tool_use", id: call.id, name: call.name, input: call.input },
});

function blockFrames({ start, deltas }: Block, index: number): string {
  return [
    eventFrame("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => eventFrame("content_block_delta", { index, delta })),
    eventFrame("content_block_stop", { index }),
  ].join("");
}
