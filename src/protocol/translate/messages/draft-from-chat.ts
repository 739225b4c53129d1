import { addAll } from "../../../lib/add-all.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, isGiven } from "../findings.ts";
import { createWaitingCalls, type WaitingCalls } from "../waiting-calls.ts";
import { assistantBlocks, contentBlocks, type OpenCall } from "./assistant-from-chat.ts";
import { createHistoryIds } from "./call-names.ts";
import { type DraftTurn, openAssistantTurn, openUserTurn } from "./conversation.ts";
import { ERROR_MARKER } from "./error-marker.ts";
import { textBlocks } from "./media-from-chat.ts";

export interface Draft {
  readonly system: readonly JsonObject[];
  readonly turns: readonly DraftTurn[];
}

interface Drafting {
  readonly system: JsonObject[];
  readonly turns: DraftTurn[];
  /** Calls of the assistant's last turn that have no result yet. */
  readonly open: WaitingCalls<OpenCall>;
  readonly ids: ReturnType<typeof createHistoryIds>;
  readonly keep_thinking: boolean;
  readonly findings: Findings;
}

/**
 * Sorts chat messages into turns: instructions at the start, every call answered in the turn after it.
 * A result that no call asked for becomes text, a call without result gets one that says so.
 */
export function draftFromChat(
  messages: unknown,
  keep_thinking: boolean,
  findings: Findings,
): Draft {
  const system: JsonObject[] = [];
  const turns: DraftTurn[] = [];
  const open = createWaitingCalls<OpenCall>();
  const draft = { system, turns, open, ids: createHistoryIds(), keep_thinking, findings };
  for (const [index, message] of arrayOf(messages).map(objectOf).entries()) {
    addMessage(message, `messages[${index}]`, draft);
  }
  closeCalls(draft);
  return draft;
}

function addMessage(message: JsonObject, param: string, draft: Drafting): void {
  const { role, name } = message;
  if (isGiven(name) && role !== "function") draft.findings.lose("messages.name");
  switch (role) {
    case "system":
    case "developer":
      return addSystem(message, param, draft);
    case "assistant":
      return addAssistant(message, param, draft);
    case "tool":
    case "function":
      return addResult(message, param, draft);
    case "user":
      addAll(openUserTurn(draft.turns).said, contentOf(message, param, draft));
      return;
    default:
      draft.findings.refuse({
        param: `${param}.role`,
        message: "A role must be one of system, developer, user, assistant, tool.",
      });
  }
}

function contentOf({ content }: JsonObject, param: string, { findings }: Drafting) {
  return contentBlocks(content, `${param}.content`, findings);
}

function addSystem(message: JsonObject, param: string, draft: Drafting): void {
  const blocks = contentOf(message, param, draft);
  if (draft.turns.length === 0) addAll(draft.system, blocks);
  else if (blocks.length > 0) openUserTurn(draft.turns).said.push({ system: blocks });
}

function addAssistant(message: JsonObject, param: string, draft: Drafting): void {
  const { ids, keep_thinking, findings, open, turns } = draft;
  const { blocks, calls } = assistantBlocks({ message, param, ids, keep_thinking }, findings);
  if (blocks.length === 0) return;
  if (turns.at(-1)?.role === "user") closeCalls(draft);
  addAll(openAssistantTurn(turns).blocks, blocks);
  for (const call of calls) open.add(call);
}

function addResult(message: JsonObject, param: string, draft: Drafting): void {
  const { tool_call_id, name } = message;
  const asked = isFilledText(tool_call_id) ? tool_call_id : name;
  const call = draft.open.take(isFilledText(asked) ? asked : "");
  const content = contentOf(message, param, draft);
  const turn = openUserTurn(draft.turns);
  if (!call) {
    draft.findings.lose("messages.tool");
    addAll(turn.said, [...textBlocks(ORPHAN), ...content]);
    return;
  }
  turn.results.push(resultBlock(call, content));
}

const ORPHAN = "[result of a tool call that is not part of this conversation]";

function resultBlock({ sent }: OpenCall, content: readonly JsonObject[]): JsonObject {
  const [first] = content;
  const isError = isFilledText(first?.["text"]) && first["text"].startsWith(ERROR_MARKER);
  const cached = content.find(({ cache_control }) => cache_control !== undefined);
  return {
    type: "tool_result",
    tool_use_id: sent,
    content: resultContent(content),
    ...(isError && { is_error: true }),
    ...(cached && { cache_control: cached["cache_control"] }),
  };
}

function resultContent(content: readonly JsonObject[]): unknown {
  const [first] = content;
  if (!first) return "";
  if (content.length === 1 && first["type"] === "text") return first["text"];
  return content.map((block) => {
    const { cache_control: _, ...plain } = block;
    return plain;
  });
}

const NO_RESULT = "No result of this call was recorded.";

/** The API refuses a call that the next turn does not answer. */
function closeCalls({ open, turns, findings }: Drafting): void {
  const unanswered = open.takeAll();
  if (unanswered.length === 0) return;
  findings.lose("messages.tool_calls");
  const { results } = openUserTurn(turns);
  for (const { sent } of unanswered) {
    results.push({ type: "tool_result", tool_use_id: sent, content: NO_RESULT, is_error: true });
  }
}
