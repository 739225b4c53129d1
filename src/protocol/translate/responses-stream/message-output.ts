import { addAll } from "../../../lib/add-all.ts";
import type { JsonObject } from "../../openai/fields.ts";
import type { Emit } from "./event-log.ts";
import type { OpenOutput, OutputPlace, OutputStatus } from "./open-output.ts";

export interface MessageOutput extends OpenOutput {
  readonly kind: "message";
  text(delta: string, logprobs: readonly JsonObject[]): void;
  refusal(delta: string): void;
  annotate(annotation: JsonObject): void;
}

interface Part {
  readonly kind: "output_text" | "refusal";
  readonly content_index: number;
  text: string;
  readonly logprobs: JsonObject[];
  readonly annotations: JsonObject[];
}

/** A message item, of one part of text or refusal after the other. */
export function openMessage({ output_index, id }: OutputPlace, emit: Emit): MessageOutput {
  const parts: Part[] = [];
  const placeOf = ({ content_index }: Part) => ({ item_id: id, output_index, content_index });

  function message(status: OutputStatus): JsonObject {
    return { id, type: "message", status, role: "assistant", content: parts.map(partObject) };
  }

  function partOf(kind: Part["kind"]): Part {
    const last = parts.at(-1);
    if (last?.kind === kind) return last;
    if (last) closePart(last);
    const content_index = parts.length;
    const part: Part = { kind, content_index, text: "", logprobs: [], annotations: [] };
    parts.push(part);
    emit("response.content_part.added", { ...placeOf(part), part: partObject(part) });
    return part;
  }

  function closePart(part: Part): void {
    const { kind, text, logprobs } = part;
    const place = placeOf(part);
    if (kind === "output_text") emit("response.output_text.done", { ...place, text, logprobs });
    else emit("response.refusal.done", { ...place, refusal: text });
    emit("response.content_part.done", { ...place, part: partObject(part) });
  }

  emit("response.output_item.added", { output_index, item: message("in_progress") });
  return {
    kind: "message",
    output_index,
    text(delta, logprobs) {
      const part = partOf("output_text");
      part.text += delta;
      addAll(part.logprobs, logprobs);
      emit("response.output_text.delta", { ...placeOf(part), delta, logprobs });
    },
    refusal(delta) {
      const part = partOf("refusal");
      part.text += delta;
      emit("response.refusal.delta", { ...placeOf(part), delta });
    },
    annotate(annotation) {
      const part = partOf("output_text");
      const annotation_index = part.annotations.push(annotation) - 1;
      const fields = { ...placeOf(part), annotation_index, annotation };
      emit("response.output_text.annotation.added", fields);
    },
    close(status) {
      const last = parts.at(-1);
      if (last) closePart(last);
      const item = message(status);
      emit("response.output_item.done", { output_index, item });
      return item;
    },
    sofar: message,
  };
}

function partObject({ kind, text, logprobs, annotations }: Part): JsonObject {
  if (kind === "refusal") return { type: kind, refusal: text };
  return { type: kind, text, annotations: [...annotations], logprobs: [...logprobs] };
}
