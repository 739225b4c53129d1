import type { ClaudeFacts } from "../../../../src/protocol/anthropic/request/claude-facts.ts";
import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";

/** What Anthropic would answer 400 to, as sentences: the rules of its API as far as they are known. */
export function brokenRules(body: JsonObject, facts: ClaudeFacts): readonly string[] {
  const turns = arrayOf(body["messages"]).map(objectOf);
  return [
    ...memberRules(body, facts),
    ...turnRules(turns, facts),
    ...blockRules(turns),
    ...callRules(turns),
  ];
}

function memberRules(body: JsonObject, facts: ClaudeFacts): string[] {
  const rules = {
    ...thinkingRules(body, facts),
    ...samplingRules(body, facts),
    ...toolRules(body, facts),
  };
  return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [rule] : []));
}

function isThinking({ thinking }: JsonObject): boolean {
  const { type } = objectOf(thinking);
  return type === "enabled" || type === "adaptive";
}

function thinkingRules(
  { max_tokens, thinking, output_config, messages }: JsonObject,
  facts: ClaudeFacts,
) {
  const { type, budget_tokens } = objectOf(thinking);
  const { effort } = objectOf(output_config);
  const cap = Number(max_tokens);
  const budget = Number(budget_tokens);
  const isBudgeted = type === "enabled";
  return {
    "max_tokens is out of range": !(cap >= 1 && cap <= facts.max_output_tokens),
    "enabled is not supported": isBudgeted && !facts.budget,
    "budget is out of range": isBudgeted && !(budget >= 1024 && budget < cap),
    "adaptive is not supported": type === "adaptive" && !facts.adaptive,
    "thinking is not supported": thinking !== undefined && facts.off === "absent",
    "unknown effort": effort !== undefined && !facts.efforts.some((known) => known === effort),
    "last turn lacks its thinking": isBudgeted && isUnthoughtLoop(messages),
  };
}

/** With a budget the assistant's last turn begins with thinking, as long as it waits for results. */
function isUnthoughtLoop(messages: unknown): boolean {
  const last = arrayOf(messages)
    .map(objectOf)
    .findLast(({ role }) => role === "assistant");
  if (!last) return false;
  const types = blocksOf(last).map(({ type }) => type);
  return types.includes("tool_use") && types[0] !== "thinking" && types[0] !== "redacted_thinking";
}

function samplingRules(body: JsonObject, facts: ClaudeFacts) {
  const { temperature, top_p, top_k } = body;
  const isSampled = [temperature, top_p, top_k].some((value) => value !== undefined);
  return {
    "sampling is not permitted": isSampled && (!facts.sampling || isThinking(body)),
    "temperature and top_p": temperature !== undefined && top_p !== undefined,
    "temperature is out of range": Number(temperature ?? 0) > 1,
  };
}

function toolRules(body: JsonObject, facts: ClaudeFacts) {
  const { tools, tool_choice, system } = body;
  const { type } = objectOf(tool_choice);
  const isForced = type === "any" || type === "tool";
  return {
    "tools cannot be forced": isForced && !facts.forced_tool,
    "forced and thinking": isForced && isThinking(body) && facts.sampling,
    "tool_choice without tools": tool_choice !== undefined && tools === undefined,
    "system is empty": system === null || system === "",
  };
}

function turnRules(turns: readonly JsonObject[], facts: ClaudeFacts): string[] {
  const first = turns[0]?.["role"] === "user" ? [] : ["first message must be user"];
  const pairs = turns.flatMap((turn, index) =>
    neighbourRules(turn, turns[index - 1]?.["role"], facts),
  );
  return [...first, ...pairs, ...endRules(turns.at(-1), facts)];
}

function neighbourRules(
  { role, content }: JsonObject,
  before: unknown,
  facts: ClaudeFacts,
): string[] {
  const found: string[] = [];
  if (role === before) found.push("two turns of one role");
  if (role === "system" && (!facts.system_turns || before !== "user")) found.push("system turn");
  if (role === "user" && before === "system") found.push("user after a system turn");
  if (content === "" || (Array.isArray(content) && content.length === 0)) found.push("empty turn");
  return found;
}

function endRules(last: JsonObject | undefined, { prefill }: ClaudeFacts): string[] {
  if (last?.["role"] !== "assistant") return [];
  if (!prefill) return ["prefill"];
  const text = textsOf(last).at(-1) ?? "";
  return text === text.trimEnd() ? [] : ["trailing whitespace"];
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : arrayOf(content).map(objectOf);
}

function textsOf(turn: JsonObject): readonly string[] {
  return blocksOf(turn).flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
}

function blockRules(turns: readonly JsonObject[]): string[] {
  const blank = turns.flatMap(textsOf).filter((text) => text.trim() === "");
  const unsigned = turns
    .flatMap(blocksOf)
    .filter(({ type, signature }) => type === "thinking" && !signature);
  return [...blank.map(() => "blank text"), ...unsigned.map(() => "unsigned thinking")];
}

function callRules(turns: readonly JsonObject[]): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  let open: unknown[] = [];
  for (const turn of turns) {
    const blocks = blocksOf(turn);
    const results = blocks.filter(({ type }) => type === "tool_result");
    const isFirst = blocks.slice(0, results.length).every(({ type }) => type === "tool_result");
    if (!isFirst) found.push("results are not first");
    const answered = results.map(({ tool_use_id }) => tool_use_id);
    if (new Set(answered).symmetricDifference(new Set(open)).size > 0)
      found.push("calls and results differ");
    const calls = blocks.filter(({ type }) => type === "tool_use");
    open = calls.map(({ id }) => id);
    for (const { id, name, input } of calls) {
      if (seen.has(id)) found.push("an id twice");
      seen.add(id);
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) found.push("malformed id");
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) found.push("malformed name");
      if (objectOf(input) !== input) found.push("input is no object");
    }
  }
  if (open.length > 0) found.push("calls without results");
  return found;
}
