import type { JsonObject } from "../../openai/fields.ts";

/** A turn on its way into a Messages body. */
export type DraftTurn =
  | { readonly role: "assistant"; readonly blocks: JsonObject[] }
  | {
      readonly role: "user";
      /** Results of tools, which the API wants first. */
      readonly results: JsonObject[];
      readonly said: (JsonObject | SystemText)[];
    };

/** An instruction within the conversation. */
export interface SystemText {
  readonly system: readonly JsonObject[];
}

export function isSystemText(said: JsonObject | SystemText): said is SystemText {
  return "system" in said;
}

/** The user's turn at the end, opened if the assistant spoke last. */
export function openUserTurn(turns: DraftTurn[]): DraftTurn & { role: "user" } {
  const last = turns.at(-1);
  if (last?.role === "user") return last;
  const turn = { role: "user" as const, results: [], said: [] };
  turns.push(turn);
  return turn;
}

/** The assistant's turn at the end; two in a row are one. */
export function openAssistantTurn(turns: DraftTurn[]): DraftTurn & { role: "assistant" } {
  const last = turns.at(-1);
  if (last?.role === "assistant") return last;
  const turn = { role: "assistant" as const, blocks: [] };
  turns.push(turn);
  return turn;
}
