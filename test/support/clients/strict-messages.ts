type Json = Readonly<Record<string, unknown>>;

const KNOWN = new Set(
  (
    "model max_tokens messages system tools tool_choice thinking output_config stop_sequences stream " +
    "temperature top_p top_k metadata service_tier speed cache_control container inference_geo"
  ).split(" "),
);

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);
const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** Why Anthropic's API would turn a body down, in its words; null if it would not. */
export function whyRefused(body: Json): string | null {
  const extra = Object.keys(body).find((key) => !KNOWN.has(key));
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  if (typeof body["max_tokens"] !== "number") return "max_tokens: Field required";
  if (body["system"] === null) return "system: Input should be a valid list";
  const { messages } = body;
  if (!isList(messages) || messages.length === 0)
    return "messages: at least one message is required";
  if (messages[0]?.["role"] !== "user") return "messages: first message must use the user role";
  return whyThinkingRefused(body) ?? whyTurnsRefused(messages);
}

interface Turn {
  readonly role: unknown;
  readonly blocks: readonly Json[];
}

function whyTurnsRefused(messages: readonly Json[]): string | null {
  const turns = messages.map(({ role, content }): Turn => ({
    role,
    blocks: isList(content) ? content : [{ type: "text", text: content }],
  }));
  for (const [index, turn] of turns.entries()) {
    const problem = whyTurnRefused(turn, turns[index + 1]);
    if (problem !== null) return `messages.${index}: ${problem}`;
  }
  return null;
}

function whyTurnRefused({ role, blocks }: Turn, next: Turn | undefined): string | null {
  if (role !== "user" && role !== "assistant") return `unexpected role ${String(role)}`;
  const [problem = null] = blocks.flatMap((block) => whyBlockRefused(block) ?? []);
  return problem ?? whyResultsRefused(blocks, next?.blocks ?? []);
}

function whyBlockRefused({ type, text, id }: Json): string | null {
  if (type === "text" && text === "") return "text content blocks must be non-empty";
  if (type !== "tool_use" || /^[a-zA-Z0-9_-]+$/.test(String(id))) return null;
  return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
}

function whyResultsRefused(blocks: readonly Json[], results: readonly Json[]): string | null {
  const unanswered = blocks.find(
    ({ type, id }) =>
      type === "tool_use" && !results.some((result) => result["tool_use_id"] === id),
  );
  if (unanswered !== undefined) {
    return `tool_use ids were found without tool_result blocks immediately after: ${String(unanswered["id"])}`;
  }
  const firstOther = results.findIndex(({ type }) => type !== "tool_result");
  const lastResult = results.findLastIndex(({ type }) => type === "tool_result");
  return firstOther !== -1 && lastResult > firstOther ? "tool_result blocks must come first" : null;
}

/** Which forms of thinking a generation takes, as they were measured. */
const FORMS: readonly [RegExp, readonly string[]][] = [
  [/haiku-4-5/, ["enabled", "disabled"]],
  [/sonnet-4-6/, ["enabled", "adaptive", "disabled"]],
  [/./, ["adaptive", "between_tools"]],
];

function whyThinkingRefused({ model, thinking, max_tokens }: Json): string | null {
  if (thinking === undefined) return null;
  const { type, budget_tokens } = objectOf(thinking);
  const [, forms = []] = FORMS.find(([pattern]) => pattern.test(String(model))) ?? [];
  if (!forms.includes(String(type))) {
    const hint = type === "disabled" ? '; use {"type":"between_tools"}' : "";
    return `thinking.type.${String(type)} is not supported for this model${hint}`;
  }
  if (type !== "enabled") return null;
  if (typeof budget_tokens !== "number" || budget_tokens < 1024) {
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  }
  return Number(max_tokens) > budget_tokens
    ? null
    : "`max_tokens` must be greater than `thinking.budget_tokens`";
}
