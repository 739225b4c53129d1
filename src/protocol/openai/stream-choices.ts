import type { Edit } from "../json/edit.ts";
import { arrayItems, memberValue, objectMembers } from "../json/scan.ts";
import {
  chatContent,
  completionContent,
  type ContentFacts,
  contentOfNothing,
  isContentBearing,
  mergeContent,
} from "./content.ts";
import { type JsonObject, objectOf } from "./fields.ts";
import { repairFinish } from "./finish-reason.ts";
import { noToolCalls, toolCallEdits, type ToolCallState } from "./tool-call-repair.ts";

interface Choice {
  content: ContentFacts;
  readonly calls: ToolCallState;
}

interface ChoicesOptions {
  readonly dialect: "chat" | "completions";
  readonly newId: () => string;
  readonly onEdit: (edit: string) => void;
}

/** What each choice of a stream has shown so far, and the edits that repair its deltas. */
export function createChoices({ dialect, newId, onEdit }: ChoicesOptions) {
  const choices = new Map<number, Choice>();
  /** As the upstream spelled them. */
  const finished = new Map<number, string>();
  let content = contentOfNothing();

  function choiceAt(index: number): Choice {
    const known = choices.get(index);
    if (known) return known;
    const fresh: Choice = { content: contentOfNothing(), calls: noToolCalls() };
    choices.set(index, fresh);
    return fresh;
  }

  function callEdits(choice: Choice, delta: JsonObject, at: Place): Edit[] {
    const span = memberValue(membersOfChoice(at), "delta");
    if (!span) return [];
    const edits = toolCallEdits(at.payload, { delta, span, state: choice.calls, newId });
    if (edits.length > 0) onEdit("tool_call");
    return edits;
  }

  function finishEdits(choice: Choice, finish: string, at: Place): Edit[] {
    const repaired = repairFinish(finish, choice.content.tool_calls);
    if (repaired === finish) return [];
    onEdit("finish_reason");
    const span = memberValue(membersOfChoice(at), "finish_reason");
    return span ? [{ ...span, text: JSON.stringify(repaired) }] : [];
  }

  return {
    /** Takes in the choice at `position` of a chunk; returns the edits its payload needs. */
    read(value: JsonObject, payload: Uint8Array, position: number): Edit[] {
      const at = { payload, position };
      const choice = choiceAt(indexOf(value));
      const delta = objectOf(value["delta"]);
      const shown = dialect === "chat" ? chatContent(delta) : completionContent(value);
      choice.content = mergeContent(choice.content, shown);
      content = mergeContent(content, shown);
      const edits = shown.tool_calls ? callEdits(choice, delta, at) : [];
      const finish = value["finish_reason"];
      if (typeof finish !== "string") return edits;
      finished.set(indexOf(value), finish);
      return [...edits, ...finishEdits(choice, finish, at)];
    },

    /** Before `[DONE]`: the finish chunks that choices with content never got, as frames. */
    missingFinishes(last: JsonObject): string {
      const open = [...choices].filter(
        ([index, choice]) => !finished.has(index) && isContentBearing(choice.content),
      );
      if (open.length > 0) onEdit("finish_chunk");
      return open.map(([index, choice]) => finishChunk({ last, dialect, index, choice })).join("");
    },

    content: (): ContentFacts => content,

    finish: (): ReadonlyMap<number, string> => finished,
  };
}

function indexOf(choice: JsonObject): number {
  return typeof choice["index"] === "number" ? choice["index"] : 0;
}

/** The choice at a position of the list in a chunk's payload. */
interface Place {
  readonly payload: Uint8Array;
  readonly position: number;
}

function membersOfChoice({ payload, position }: Place) {
  const choices = memberValue(objectMembers(payload), "choices");
  const item = choices ? arrayItems(payload, choices.start)[position] : undefined;
  return item ? objectMembers(payload, item.start) : [];
}

function finishChunk({
  last,
  dialect,
  index,
  choice,
}: {
  last: JsonObject;
  dialect: "chat" | "completions";
  index: number;
  choice: Choice;
}): string {
  const finish_reason = choice.content.tool_calls ? "tool_calls" : "stop";
  const body = dialect === "chat" ? { delta: {} } : { text: "" };
  const chunk = {
    id: last["id"],
    object: dialect === "chat" ? "chat.completion.chunk" : "text_completion",
    created: last["created"],
    model: last["model"],
    choices: [{ index, ...body, finish_reason }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
