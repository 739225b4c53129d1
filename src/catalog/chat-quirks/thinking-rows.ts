import { type QuirkRow, REFUSED, renamed, TOOL_CHOICE } from "./quirk-row.ts";

const DEEPSEEK_DOCS = "DeepSeek's API reference";

/** Every effort passes but `none`, for which these vendors have a switch. */
const SWITCHED_OFF = {
  takes: ["minimal", "low", "medium", "high", "xhigh", "max"],
  off: { thinking: { type: "disabled" } },
} as const;
/** There is no such switch. */
const NEVER_OFF = { takes: ["minimal", "low", "medium", "high", "xhigh", "max"], off: {} } as const;

/** Vendors whose models think and want to read it again. */
export const THINKING_ROWS: readonly QuirkRow[] = [
  {
    types: ["deepseek"],
    source: DEEPSEEK_DOCS,
    members: {
      ...TOOL_CHOICE,
      max_completion_tokens: renamed("max_tokens"),
      response_format: { kind: "types", takes: ["text", "json_object"] },
    },
    effort: SWITCHED_OFF,
    messages: {
      system_role: true,
      reasoning: "reasoning_content",
      fills_reasoning: "when_thinking",
      thinking_parts: false,
      prefill: "prefix",
    },
  },
  {
    types: ["deepseek"],
    models: /v4|reasoner/,
    source: `${DEEPSEEK_DOCS}: thinking mode`,
    messages: { fills_reasoning: "unless_off" },
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    source: "Moonshot's API reference",
    members: { ...TOOL_CHOICE, max_completion_tokens: renamed("max_tokens") },
    effort: SWITCHED_OFF,
    messages: {
      system_role: true,
      reasoning: "reasoning_content",
      thinking_parts: false,
      prefill: "partial",
    },
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    models: /kimi-k3/,
    source: "Moonshot's API reference: Kimi K3",
    members: { thinking: REFUSED },
    effort: NEVER_OFF,
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    models: /kimi-k2\.7/,
    source: "Moonshot's API reference: Kimi K2.7 always thinks",
    members: { thinking: { kind: "types", takes: ["enabled"] } },
    effort: NEVER_OFF,
  },
  {
    types: ["zai"],
    source: "Z.ai's API reference",
    members: { ...TOOL_CHOICE, max_completion_tokens: renamed("max_tokens") },
    effort: SWITCHED_OFF,
    messages: { system_role: true, reasoning: "reasoning_content", thinking_parts: false },
  },
];
