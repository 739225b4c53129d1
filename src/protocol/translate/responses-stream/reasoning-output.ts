import type { JsonObject } from "../../openai/fields.ts";
import type { Emit } from "./event-log.ts";
import type { OpenOutput, OutputPlace } from "./open-output.ts";

export interface ReasoningOutput extends OpenOutput {
  readonly kind: "reasoning";
  push(text: string): void;
}

/**
 * A reasoning item. Its text is told as a summary: that is what agents show and SDKs read, while most
 * leave `reasoning_text` unread. `sealed` gives its `encrypted_content`, undefined for none.
 */
export function openReasoning(
  { output_index, id }: OutputPlace,
  emit: Emit,
  sealed: () => string | undefined,
): ReasoningOutput {
  let text = "";
  const place = { item_id: id, output_index, summary_index: 0 };
  const part = () => ({ type: "summary_text", text });

  function reasoning(encrypted_content: string | undefined): JsonObject {
    const summary = text === "" ? [] : [part()];
    const seal = encrypted_content !== undefined && { encrypted_content };
    return { id, type: "reasoning", summary, ...seal };
  }

  emit("response.output_item.added", { output_index, item: reasoning(undefined) });
  return {
    kind: "reasoning",
    output_index,
    push(delta) {
      if (text === "") emit("response.reasoning_summary_part.added", { ...place, part: part() });
      text += delta;
      emit("response.reasoning_summary_text.delta", { ...place, delta });
    },
    close() {
      if (text !== "") {
        emit("response.reasoning_summary_text.done", { ...place, text });
        emit("response.reasoning_summary_part.done", { ...place, part: part() });
      }
      const item = reasoning(sealed());
      emit("response.output_item.done", { output_index, item });
      return item;
    },
    sofar: () => reasoning(undefined),
  };
}
