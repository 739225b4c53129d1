import { arrayOf, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { ClaudeFacts } from "./claude-facts.ts";
import { askedByMessages } from "./thinking-asked.ts";
import { shapeThinking, type ThinkingShape } from "./thinking.ts";
import { hasThinking, lacksThinking, withoutThinking } from "./tool-loop.ts";

/** A Messages body that was changed for the model it goes to. */
export interface FittedBody {
  readonly body: JsonObject;
  /** Top-level members that differ from the client's: replaced, or removed if `body` lacks them. */
  readonly changed: readonly string[];
  /** What was changed, as sentences. */
  readonly warnings: readonly string[];
}

/** Says thinking and effort as the model takes them, and leaves out what it refuses altogether. */
export function fitMessages(body: JsonObject, facts: ClaudeFacts): FittedBody {
  const cap = body["max_tokens"];
  const known = typeof cap === "number" ? cap : null;
  const shape = shapeThinking(askedByMessages(body), facts, known);
  const thinking = { ...body, thinking: shape.thinking, output_config: outputConfig(body, shape) };
  const fitted = known === null ? thinking : { ...thinking, max_tokens: shape.max_tokens };
  const warnings = [...shape.warnings];
  const sampled = withoutSampling(fitted, facts, warnings);
  return fittedBody(body, withoutForce(sampled, facts, warnings), warnings);
}

function outputConfig(body: JsonObject, { output_config }: ThinkingShape): JsonObject | undefined {
  const given = objectOf(body["output_config"]);
  const { effort, ...rest } = given;
  if (effort === output_config?.effort)
    return body["output_config"] === undefined ? undefined : given;
  const config = { ...rest, ...output_config };
  return Object.keys(config).length === 0 ? undefined : config;
}

function withoutSampling(body: JsonObject, facts: ClaudeFacts, warnings: string[]): JsonObject {
  if (facts.sampling) return body;
  const given = ["temperature", "top_p", "top_k"].filter((name) => body[name] !== undefined);
  if (given.length === 0) return body;
  const names = given.map((name) => `\`${name}\``).join(", ");
  warnings.push(`${names} left out: this model answers 400 to it.`);
  return { ...body, ...Object.fromEntries(given.map((name) => [name, undefined])) };
}

function withoutForce(body: JsonObject, facts: ClaudeFacts, warnings: string[]): JsonObject {
  const choice = objectOf(body["tool_choice"]);
  if (facts.forced_tool || (choice["type"] !== "any" && choice["type"] !== "tool")) return body;
  warnings.push("`tool_choice` became `auto`: this model cannot be made to call a tool.");
  const { name: _, ...rest } = choice;
  return { ...body, tool_choice: { ...rest, type: "auto" } };
}

/**
 * The body without what an assistant thought in earlier turns, for a model that did not think it or a
 * vendor that did not sign it. With a budget the API wants a tool loop to begin with thinking, so that
 * thinking is then off for this call.
 */
export function dropThinking(body: JsonObject): FittedBody {
  const before = arrayOf(body["messages"]);
  if (!hasThinking(before)) return { body, changed: [], warnings: [] };
  const messages = withoutThinking(before);
  const warnings = ["What the assistant thought in earlier turns was left out: another model did."];
  const isBudgeted = objectOf(body["thinking"])["type"] === "enabled";
  if (!isBudgeted || !lacksThinking(messages)) {
    return fittedBody(body, { ...body, messages }, warnings);
  }
  warnings.push(UNSIGNED_LOOP);
  return fittedBody(body, { ...body, messages, thinking: undefined }, warnings);
}

export const UNSIGNED_LOOP =
  "Thinking is off for this call: the last turn calls tools and does not carry what this model " +
  "thought before it.";

function fittedBody(given: JsonObject, wanted: JsonObject, warnings: readonly string[]) {
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  const changed = [...names].filter((name) => !isSame(given[name], wanted[name]));
  const present = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return { body: Object.fromEntries(present), changed, warnings };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
