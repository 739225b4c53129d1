import { createJsonProgress } from "../../json/progress.ts";
import { isVisible } from "../../openai/fields.ts";
import type { OnLoss } from "../answer-loss.ts";
import type { BlockLine } from "./block-line.ts";
import type { Piece } from "./pieces.ts";
import { createThoughts } from "./write-thoughts.ts";

/** A fragment of a call that is known from the others. */
export interface CallFragment {
  readonly kind: "fragment";
  readonly call: number;
  readonly id: string;
  readonly name: string;
  text: string;
}

export type Part = Exclude<Piece, { kind: "call" }> | CallFragment;

/** Writes the parts of an answer, each into the block it goes on or into a new one. */
export function createPartWriter(line: BlockLine, onLoss: OnLoss) {
  const thoughts = createThoughts(line, onLoss);
  const written = new Set<number>();
  let blank = "";

  /** A block of nothing but blanks would be refused when the client sends it back. */
  function say(text: string): void {
    if (line.current()?.kind === "text") return line.add({ type: "text_delta", text });
    blank += text;
    if (!isVisible(blank)) return undefined;
    line.start({ type: "text", text: "" }, { kind: "text" });
    line.add({ type: "text_delta", text: blank });
    blank = "";
    return undefined;
  }

  function argue({ call, id, name, text }: CallFragment): void {
    const open = line.current();
    const progress = createJsonProgress();
    if (open?.kind === "call" && open.call === call) open.progress.feed(text);
    else {
      // Arguments of a block that has ended were complete: more of them mean nothing.
      if (written.has(call)) return;
      written.add(call);
      const block = { type: "tool_use", id: sanitizeId(id), name, input: {} };
      line.start(block, { kind: "call", call, progress });
      progress.feed(text);
    }
    if (text !== "") line.add({ type: "input_json_delta", partial_json: text });
  }

  return {
    hasCalls: (): boolean => written.size > 0,

    write(part: Part): void {
      if (part.kind !== "text" && part.kind !== "refusal") blank = "";
      switch (part.kind) {
        case "thinking":
          return thoughts.think(part.text, part.entry);
        case "signature":
          return thoughts.sign(part.signature, part.entry);
        case "redacted":
          line.start({ type: "redacted_thinking", data: part.data }, { kind: "redacted" });
          return line.close();
        case "fragment":
          return argue(part);
        default:
          return say(part.text);
      }
    },
  };
}

/** Anthropic refuses ids with other characters, should the conversation go on there. */
function sanitizeId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}
