import type { JsonObject } from "../../openai/fields.ts";
import { type ClaudeEffort, type ClaudeFacts, EFFORTS } from "./claude-facts.ts";
import type { ThinkingAsked } from "./thinking-asked.ts";

export interface ThinkingShape {
  readonly thinking?: JsonObject;
  readonly output_config?: { readonly effort: ClaudeEffort };
  /** Always above the budget, never above what the model can put out. */
  readonly max_tokens: number;
  /** What was changed of what the client asked for, as sentences. */
  readonly warnings: readonly string[];
}

/** The smallest budget that the API takes. */
const LEAST_BUDGET = 1024;

/** Tokens of thinking for an effort, on models that know budgets only. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ["minimal", 1024],
  ["low", 4096],
  ["medium", 8192],
  ["high", 16_384],
  ["xhigh", 24_576],
  ["max", 32_000],
]);
/** The API's own effort where none is named is `high`. */
const DEFAULT_BUDGET = 16_384;

/**
 * Thinking in the words that the model takes. What already is in them comes back as it was.
 * `max_tokens` is the client's cap, null without one.
 */
export function shapeThinking(
  asked: ThinkingAsked,
  facts: ClaudeFacts,
  max_tokens: number | null,
): ThinkingShape {
  const capped = capTokens(facts, max_tokens);
  const shape = shapeOf(asked, facts, max_tokens === null ? null : capped.max_tokens);
  return {
    ...shape,
    max_tokens: shape.max_tokens ?? capped.max_tokens,
    warnings: [...capped.warnings, ...shape.warnings],
  };
}

type Shaped = Omit<ThinkingShape, "max_tokens"> & { readonly max_tokens?: number };

function capTokens({ max_output_tokens, default_max_tokens }: ClaudeFacts, asked: number | null) {
  if (asked === null) return { max_tokens: default_max_tokens, warnings: [] };
  if (asked <= max_output_tokens) return { max_tokens: asked, warnings: [] };
  const warning = `\`max_tokens\` was lowered from ${asked} to ${max_output_tokens}, the most this model can put out.`;
  return { max_tokens: max_output_tokens, warnings: [warning] };
}

function shapeOf(asked: ThinkingAsked, facts: ClaudeFacts, cap: number | null): Shaped {
  if (facts.off === "absent") return withoutThinking(asked);
  if (asked.mode === "off") return turnedOff(asked, facts);
  if (asked.mode === "unsaid") return withEffort({ warnings: [] }, asked.effort, facts);
  if (facts.budget && (asked.budget_tokens !== null || !facts.adaptive)) {
    return budgeted(asked, facts, cap);
  }
  return adaptive(asked, facts);
}

function withoutThinking({ mode, effort }: ThinkingAsked): Shaped {
  const isAsked = mode === "on" || effort !== null;
  return { warnings: isAsked ? ["This model cannot think; thinking was left out."] : [] };
}

function adaptive(asked: ThinkingAsked, facts: ClaudeFacts): Shaped {
  const thinking = thinkingOf(asked, { type: "adaptive" });
  const warnings =
    asked.budget_tokens === null
      ? []
      : [
          "`budget_tokens` was left out: this model answers 400 to `thinking.type: enabled` and decides " +
            "itself how long it thinks; steer it with the effort.",
        ];
  return withEffort({ thinking, warnings }, asked.effort, facts);
}

function budgeted(asked: ThinkingAsked, facts: ClaudeFacts, cap: number | null): Shaped {
  const wanted = asked.budget_tokens ?? BUDGETS.get(asked.effort ?? "high") ?? DEFAULT_BUDGET;
  const max_tokens =
    cap ??
    Math.min(facts.max_output_tokens, Math.max(LEAST_BUDGET, wanted) + facts.default_max_tokens);
  if (max_tokens <= LEAST_BUDGET) {
    const warning =
      `Thinking was turned off: it takes at least ${LEAST_BUDGET} tokens of \`max_tokens\`, which is ` +
      `${max_tokens}; raise \`max_tokens\` above ${LEAST_BUDGET} to get it back.`;
    return { warnings: [warning] };
  }
  const budget = Math.min(Math.max(wanted, LEAST_BUDGET), max_tokens - 1);
  const thinking = thinkingOf(asked, { type: "enabled", budget_tokens: budget });
  const warnings = budgetWarnings(asked, budget, facts);
  // Beside a budget of its own an effort says something else, as far as the model knows efforts.
  const effort = asked.budget_tokens === null ? null : asked.effort;
  return { ...withEffort({ thinking, warnings }, effort, facts), max_tokens };
}

function budgetWarnings(asked: ThinkingAsked, budget: number, { adaptive: knows }: ClaudeFacts) {
  const warnings: string[] = [];
  if (asked.given["type"] === "adaptive" && !knows) {
    warnings.push(
      `This model answers 400 to \`thinking.type: adaptive\`; it got a budget of ${budget} tokens instead.`,
    );
  }
  if (asked.budget_tokens !== null && asked.budget_tokens !== budget) {
    warnings.push(
      `\`budget_tokens\` was changed from ${asked.budget_tokens} to ${budget}: it must be at least ` +
        `${LEAST_BUDGET} and below \`max_tokens\`.`,
    );
  }
  return warnings;
}

function turnedOff(asked: ThinkingAsked, facts: ClaudeFacts): Shaped {
  if (facts.off === "never") {
    const [lowest] = facts.efforts;
    const warnings = ["This model cannot be kept from thinking; it got its lowest effort instead."];
    return { ...(lowest && { output_config: { effort: lowest } }), warnings };
  }
  const type = facts.off === "between_tools" ? "between_tools" : "disabled";
  const thinking = asked.given["type"] === type ? asked.given : { type };
  const isTooMuch =
    facts.off !== "disabled" && (asked.effort === "xhigh" || asked.effort === "max");
  if (!isTooMuch) return withEffort({ thinking, warnings: [] }, asked.effort, facts);
  const warnings = [
    `The effort was lowered from ${asked.effort} to high, the most at which this model can be kept from thinking.`,
  ];
  return withEffort({ thinking, warnings }, "high", facts);
}

function withEffort(shape: Shaped, asked: string | null, facts: ClaudeFacts): Shaped {
  if (asked === null) return shape;
  const effort = foldEffort(asked, facts.efforts);
  if (effort === asked) return { ...shape, output_config: { effort } };
  const warning = effort
    ? `The effort ${quote(asked)} is not one of this model's; it got \`${effort}\`.`
    : "The effort was left out: this model takes none.";
  return {
    ...shape,
    ...(effort && { output_config: { effort } }),
    warnings: [...shape.warnings, warning],
  };
}

/** The nearest rung below the asked one, else the lowest; null where the model has none. */
function foldEffort(asked: string, efforts: readonly ClaudeEffort[]): ClaudeEffort | null {
  const rung = EFFORTS.findIndex((effort) => effort === asked);
  const fitting = efforts.filter((effort) => EFFORTS.indexOf(effort) <= rung);
  return fitting.at(-1) ?? efforts[0] ?? null;
}

/** A client's own word, cut. */
function quote(word: string): string {
  return `\`${word.slice(0, 20)}\``;
}

/** The way to think, with the client's further members such as `display`, which hold for any way. */
function thinkingOf({ given }: ThinkingAsked, way: JsonObject): JsonObject {
  const { type, budget_tokens, ...extras } = given;
  const isSame = type === way["type"] && budget_tokens === way["budget_tokens"];
  return isSame ? given : { ...extras, ...way };
}
