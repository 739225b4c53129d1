import type { ClaudeFacts } from "./claude-facts.ts";

/** Where a generation of Claude begins, and what its models take until the next one begins. */
export interface ClaudeGeneration {
  /** Version as major × 100 + minor. */
  readonly from: number;
  readonly facts: ClaudeFacts;
  /** Models that differ from their generation, by family. */
  readonly except?: Readonly<Record<string, Partial<ClaudeFacts>>>;
}

// As of 2026-11-04. Of haiku-4-5, sonnet-4-6 and sonnet-5-5 others reported on 2026-10-01 what the API
// answers; that was not repeated here. The rest is the catalogue of @ai-sdk/anthropic 4.0.105 and
// platform.claude.com; where these differ from the report on a neighbour, the report holds and the
// model's own 400 corrects it (`flipOn400`).

const ALL_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const EARLIEST: ClaudeFacts = {
  max_output_tokens: 4096,
  default_max_tokens: 4096,
  budget: false,
  adaptive: false,
  off: "absent",
  thinks_by_default: false,
  efforts: [],
  forced_tool: true,
  sampling: true,
  prefill: true,
  json_schema: false,
  system_turns: false,
};

const BUDGETED: ClaudeFacts = {
  ...EARLIEST,
  max_output_tokens: 64_000,
  // A window of 200k holds prompt and cap together, so the cap stays small where none is asked for.
  default_max_tokens: 8192,
  budget: true,
  off: "disabled",
};

const BOTH: ClaudeFacts = {
  ...BUDGETED,
  max_output_tokens: 128_000,
  default_max_tokens: 32_000,
  adaptive: true,
  efforts: ["low", "medium", "high", "max"],
  prefill: false,
  json_schema: true,
};

const ADAPTIVE: ClaudeFacts = {
  ...BOTH,
  budget: false,
  off: "between_tools",
  efforts: ALL_EFFORTS,
  sampling: false,
};

/** What cannot be stopped from thinking. */
const FABLE: Partial<ClaudeFacts> = { off: "never" };

/** What a Claude whose name tells no version is taken for: later ones refuse more than earlier ones. */
export const MODERN: ClaudeFacts = { ...ADAPTIVE, thinks_by_default: true, system_turns: true };

/** Other vendors' models behind Anthropic's dialect: these servers follow its earlier form. */
export const FOREIGN: ClaudeFacts = { ...BUDGETED, max_output_tokens: 128_000 };

/** In order of their beginning. */
export const CLAUDE_GENERATIONS: readonly ClaudeGeneration[] = [
  { from: 0, facts: EARLIEST },
  { from: 305, facts: { ...EARLIEST, max_output_tokens: 8192, default_max_tokens: 8192 } },
  { from: 307, facts: BUDGETED },
  { from: 400, facts: BUDGETED, except: { opus: { max_output_tokens: 32_000 } } },
  {
    from: 405,
    facts: { ...BUDGETED, json_schema: true },
    except: { opus: { efforts: ["low", "medium", "high"] } },
  },
  { from: 406, facts: BOTH },
  { from: 407, facts: ADAPTIVE },
  { from: 408, facts: { ...ADAPTIVE, system_turns: true } },
  {
    from: 500,
    facts: MODERN,
    except: { opus: { off: "disabled_to_high" }, fable: FABLE, mythos: FABLE },
  },
  {
    from: 501,
    facts: MODERN,
    except: {
      fable: { ...FABLE, forced_tool: false },
      mythos: { ...FABLE, forced_tool: false },
    },
  },
  {
    from: 505,
    facts: MODERN,
    except: {
      sonnet: { forced_tool: false },
      opus: { off: "never", forced_tool: false },
      haiku: { off: "disabled_to_high" },
      fable: { ...FABLE, forced_tool: false },
      mythos: { ...FABLE, forced_tool: false },
    },
  },
];
