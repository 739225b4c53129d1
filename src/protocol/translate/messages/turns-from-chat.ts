import { addAll } from "../../../lib/add-all.ts";
import type { ClaudeFacts } from "../../anthropic/request/claude-facts.ts";
import { isFilledText, type JsonObject } from "../../openai/fields.ts";
import { type Findings, refuseSilence } from "../findings.ts";
import { type DraftTurn, isSystemText, type SystemText } from "./conversation.ts";

interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: readonly JsonObject[];
}

/** What a conversation that an assistant opens is opened with. */
const OPENING = "[the conversation begins with the assistant]";

/** `messages` of a Messages body that holds the API's rules on who speaks when. */
export function finishTurns(
  drafts: readonly DraftTurn[],
  facts: ClaudeFacts,
  findings: Findings,
): readonly JsonObject[] {
  const turns = joined(drafts.flatMap((draft) => turnsOf(draft, facts, findings)));
  if (turns.length === 0) {
    refuseSilence("messages", findings);
    return [];
  }
  const first = turns[0]?.role === "assistant";
  if (first) findings.lose("messages");
  const opening: Turn = { role: "user", content: [{ type: "text", text: OPENING }] };
  const all = first ? [opening, ...turns] : turns;
  return withoutPrefill(all, facts, findings).map(({ role, content }) => ({
    role,
    content: contentOf(content),
  }));
}

/** A single plain text as a string, as clients write it. */
function contentOf(content: readonly JsonObject[]): unknown {
  const [first] = content;
  const isPlain = content.length === 1 && first?.["type"] === "text" && !("cache_control" in first);
  return isPlain ? first["text"] : content;
}

function turnsOf(draft: DraftTurn, facts: ClaudeFacts, findings: Findings): readonly Turn[] {
  if (draft.role === "assistant") return [{ role: "assistant", content: callsLast(draft.blocks) }];
  const { results, said } = draft;
  const end = said.findLastIndex((part) => !isSystemText(part)) + 1;
  // A system turn may only follow a user's, with nothing of the user's behind it.
  const asTurn = facts.system_turns && (results.length > 0 || end > 0) ? said.slice(end) : [];
  const inTurn = said.slice(0, said.length - asTurn.length);
  if (inTurn.some(isSystemText)) findings.lose("messages.system");
  const system = asTurn.filter(isSystemText).flatMap((part) => part.system);
  return [
    { role: "user", content: [...results, ...inTurn.flatMap(inline)] },
    { role: "system", content: system },
  ];
}

function isCall({ type }: JsonObject): boolean {
  return type === "tool_use";
}

function callsLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return [...blocks.filter((block) => !isCall(block)), ...blocks.filter(isCall)];
}

/** An instruction as part of a user's turn, in a tag that says what it is. */
function inline(part: JsonObject | SystemText): readonly JsonObject[] {
  if (!isSystemText(part)) return [part];
  return part.system.map((block) =>
    isFilledText(block["text"])
      ? { ...block, text: `<system>\n${block["text"]}\n</system>` }
      : block,
  );
}

/** Without empty turns, and neighbours of one role in one. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const kept: { readonly role: Turn["role"]; readonly content: JsonObject[] }[] = [];
  for (const { role, content } of turns) {
    if (content.length === 0) continue;
    const last = kept.at(-1);
    if (last?.role === role) addAll(last.content, content);
    else kept.push({ role, content: [...content] });
  }
  return kept;
}

/** An assistant's last turn is to be continued, which later models refuse to do. */
function withoutPrefill(
  turns: readonly Turn[],
  facts: ClaudeFacts,
  findings: Findings,
): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return turns;
  if (!facts.prefill) {
    findings.refuse({
      param: "messages",
      message:
        "The last message is the assistant's and this model does not continue it; end with a message of the user.",
    });
    return turns;
  }
  const content = last.content.map((block, index) =>
    index === last.content.length - 1 && isFilledText(block["text"])
      ? { ...block, text: block["text"].trimEnd() }
      : block,
  );
  return [...turns.slice(0, -1), { ...last, content }];
}
