import type { Edit } from "../../json/edit.ts";
import { type ContentFacts, contentOfNothing, mergeContent } from "../content.ts";
import type { JsonObject } from "../fields.ts";
import {
  type Choice,
  type ChoiceFacts,
  type ChoiceOptions,
  createChoice,
  type Place,
} from "./choice.ts";
import { finishFrame } from "./finish-chunk.ts";

interface ChoicesOptions extends ChoiceOptions {
  readonly onEdit: (edit: string) => void;
}

/** All choices of a stream, by index. */
export function createChoices(options: ChoicesOptions) {
  const { dialect, onEdit } = options;
  const choices = new Map<number, Choice>();
  let content = contentOfNothing();

  function choiceAt(index: number): Choice {
    const known = choices.get(index);
    if (known) return known;
    const fresh = createChoice(index, options);
    choices.set(index, fresh);
    return fresh;
  }

  const open = () => [...choices].filter(([, choice]) => choice.isOpen());

  function finished(): ReadonlyMap<number, string> {
    const reasons = new Map<number, string>();
    for (const [index, choice] of choices) {
      const reason = choice.finish();
      if (reason !== null) reasons.set(index, reason);
    }
    return reasons;
  }

  /** Some choice finished, and none with content is still without a finish. */
  function isFinished(): boolean {
    let hasFinish = false;
    for (const choice of choices.values()) {
      if (choice.isOpen()) return false;
      hasFinish ||= choice.finish() !== null;
    }
    return hasFinish;
  }

  return {
    /** Takes in the choice at a place of a chunk; returns the edits its payload needs. */
    read(value: JsonObject, at: Place): Edit[] {
      const { index } = value;
      const choice = choiceAt(typeof index === "number" ? index : at.position);
      const edits = choice.read(value, at);
      content = mergeContent(content, choice.content());
      for (const { name } of edits) onEdit(name);
      return edits;
    },

    /** Before `[DONE]`: the finish chunks that choices with content never got, as frames. */
    missingFinishes(last: JsonObject): string {
      const frames = open().map(([index, choice]) =>
        finishFrame({ last, dialect, index, finish_reason: choice.missingFinish() }),
      );
      if (frames.length > 0) onEdit("finish_chunk");
      return frames.join("");
    },

    content: (): ContentFacts => content,
    contentOf: (index: number): ContentFacts | undefined => choices.get(index)?.content(),
    facts: (): ReadonlyMap<number, ChoiceFacts> =>
      new Map([...choices].map(([index, choice]) => [index, choice.facts()])),
    finish: finished,
    isFinished,
  };
}
