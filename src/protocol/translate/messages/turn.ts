import { addAll } from "../../../lib/add-all.ts";
import { blocksOf } from "../../anthropic/request/blocks.ts";
import { arrayOf, type JsonObject, objectOf } from "../../openai/fields.ts";

/** A block and where the client's body has it. */
export interface PlacedBlock {
  readonly block: JsonObject;
  readonly param: string;
}

export interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly blocks: readonly PlacedBlock[];
}

/** The turns of a Messages body; neighbours of one role are one turn, as the API reads them. */
export function turnsOf(messages: unknown): readonly Turn[] {
  const turns: { readonly role: Turn["role"]; readonly blocks: PlacedBlock[] }[] = [];
  for (const [index, message] of arrayOf(messages).map(objectOf).entries()) {
    const role = roleOf(message["role"]);
    const blocks = placedBlocks(message["content"], `messages[${index}].content`);
    const last = turns.at(-1);
    if (last?.role === role) addAll(last.blocks, blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

function roleOf(role: unknown): Turn["role"] {
  return role === "assistant" || role === "system" ? role : "user";
}

export function placedBlocks(content: unknown, param: string): readonly PlacedBlock[] {
  const isText = typeof content === "string";
  return blocksOf(content).map((block, index) => ({
    block,
    param: isText ? param : `${param}[${index}]`,
  }));
}
