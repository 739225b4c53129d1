import type { ClaudeFacts } from "./claude-facts.ts";
import { CLAUDE_GENERATIONS, FOREIGN, MODERN } from "./claude-generations.ts";
import { parseClaudeId } from "./claude-id.ts";

/**
 * What the model takes, by any spelling of its id. A Claude that tells no version is taken for a new
 * one, a name that is no Claude's for another vendor's model behind the same dialect.
 */
export function claudeFacts(model: string): ClaudeFacts {
  const id = parseClaudeId(model);
  if (!id) return model.toLowerCase().includes("claude") ? MODERN : FOREIGN;
  const version = id.major * 100 + id.minor;
  const generation = CLAUDE_GENERATIONS.findLast(({ from }) => from <= version);
  if (!generation) return MODERN;
  return { ...generation.facts, ...generation.except?.[id.family] };
}
