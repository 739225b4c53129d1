import { type Edit, objectEdits } from "../../json/edit.ts";
import { arrayItems, type Member, memberValue, objectMembers } from "../../json/scan.ts";
import { chatText, completionText, type FunctionCall } from "../answer-text.ts";
import {
  chatContent,
  completionContent,
  type ContentFacts,
  contentOfNothing,
  isContentBearing,
  mergeContent,
} from "../content.ts";
import { isObject, type JsonObject, objectOf } from "../fields.ts";
import { type CallKind, repairFinish } from "../finish-reason.ts";
import { contentEdits } from "./plain-content.ts";
import { toolCallEdits } from "./tool-call-repair.ts";
import { createToolCalls, type ToolCalls } from "./tool-calls.ts";

/** The choice at a position of the list in a chunk's payload. */
export interface Place {
  readonly payload: () => Uint8Array;
  readonly position: number;
}

/** An edit with the name it is recorded by. */
export interface NamedEdit extends Edit {
  readonly name: string;
}

export interface ChoiceOptions {
  readonly dialect: "chat" | "completions";
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the text of all deltas that have one, in order; that of several in a row perhaps at once. */
  readonly onText?: (choice: number, text: string) => void;
}

/** What a choice came to so far, its text apart. */
export interface ChoiceFacts {
  readonly content: ContentFacts;
  /** As the upstream spelled it; null while the choice goes on. */
  readonly finish: string | null;
  readonly calls: readonly FunctionCall[];
}

/** One choice of a stream: what it has shown so far, and the repairs its deltas need. */
export function createChoice(index: number, { dialect, newId, onText }: ChoiceOptions) {
  // Few answers call anything.
  let calls: ToolCalls | undefined;
  /** The one call of the form before `tool_calls`, which has neither index nor id. */
  let legacy: ToolCalls | undefined;
  let content = contentOfNothing();
  let finish: string | null = null;

  function called(): CallKind | null {
    if (calls?.areComplete()) return "tool_calls";
    return legacy?.areComplete() ? "function_call" : null;
  }

  function finishEdits(reason: string, at: Place): NamedEdit[] {
    const repaired = repairFinish(reason, called());
    if (repaired !== null) finish = reason;
    if (repaired === reason) return [];
    const span = memberValue(choiceMembers(at).members, "finish_reason");
    return span ? named("finish_reason", [{ ...span, text: JSON.stringify(repaired) }]) : [];
  }

  return {
    /** Takes in a chunk's part of this choice; returns the edits its payload needs. */
    read(value: JsonObject, at: Place): NamedEdit[] {
      const delta = objectOf(value["delta"]);
      const shown = dialect === "chat" ? chatContent(delta) : completionContent(value);
      if (isObject(delta["function_call"])) {
        legacy ??= createToolCalls(() => "");
        legacy.place({ function: delta["function_call"] });
      }
      content = mergeContent(content, shown);
      const text = dialect === "chat" ? chatText(delta) : completionText(value);
      if (text !== "") onText?.(index, text);
      const edits = deltaEdits(delta, at, () => (calls ??= createToolCalls(newId)));
      if (value["index"] !== index) edits.push(...indexEdits(index, at));
      const reason = value["finish_reason"];
      if (typeof reason === "string") edits.push(...finishEdits(reason, at));
      return edits;
    },

    content: (): ContentFacts => content,
    /** As the upstream spelled it; null while the choice goes on. */
    finish: (): string | null => finish,
    facts: (): ChoiceFacts => ({
      content,
      finish,
      calls: [...(calls?.functions() ?? []), ...(legacy?.functions() ?? [])],
    }),
    /** It has content and no finish. */
    isOpen: (): boolean => finish === null && isContentBearing(content),
    /** How to finish it where the upstream did not say; a call that broke off must not be run. */
    missingFinish: (): string =>
      calls?.areBroken() || legacy?.areBroken() ? "length" : (called() ?? "stop"),
  };
}

export type Choice = ReturnType<typeof createChoice>;

function deltaEdits(delta: JsonObject, at: Place, calls: () => ToolCalls): NamedEdit[] {
  // Nearly all deltas are a text alone.
  if (!Array.isArray(delta["content"]) && !Array.isArray(delta["tool_calls"])) return [];
  const place = () => {
    const span = memberValue(choiceMembers(at).members, "delta");
    return span && { payload: at.payload(), span };
  };
  return [
    ...named("content_parts", contentEdits({ delta, place })),
    ...named("tool_call", toolCallEdits({ delta, place }, calls())),
  ];
}

function named(name: string, edits: readonly Edit[]): NamedEdit[] {
  return edits.map((edit) => ({ ...edit, name }));
}

const NO_CHOICE = { start: 0, members: [] };

function choiceMembers({ payload, position }: Place): { start: number; members: Member[] } {
  const bytes = payload();
  const choices = memberValue(objectMembers(bytes), "choices");
  const span = choices && arrayItems(bytes, choices.start)[position];
  return span ? { start: span.start, members: objectMembers(bytes, span.start) } : NO_CHOICE;
}

function indexEdits(index: number, at: Place): NamedEdit[] {
  const { start, members } = choiceMembers(at);
  if (members.length === 0) return [];
  const change = { set: new Map([["index", String(index)]]), remove: new Set<string>() };
  return named("choice_index", objectEdits(start, members, change));
}
