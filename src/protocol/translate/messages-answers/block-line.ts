import type { MessagesEvent } from "../../anthropic/read-event.ts";
import type { createJsonProgress } from "../../json/progress.ts";
import type { Entry } from "./pieces.ts";

/** The block that is being written. */
export type OpenBlock =
  | { readonly kind: "text" }
  | { readonly kind: "redacted" }
  | { readonly kind: "thinking"; readonly entry: Entry; signature: string | null }
  | {
      readonly kind: "call";
      readonly call: number;
      readonly progress: ReturnType<typeof createJsonProgress>;
    };

/** Writes blocks one after the other: opening one closes the one before. */
export function createBlockLine(emit: (event: MessagesEvent) => void) {
  let open: OpenBlock | null = null;
  let index = -1;

  const add = (delta: MessagesEvent) => emit({ type: "content_block_delta", index, delta });

  function close(): void {
    if (open === null) return;
    // Clients that replay thinking want a signature in it; an empty one says that nobody signed.
    if (open.kind === "thinking") add({ type: "signature_delta", signature: open.signature ?? "" });
    if (open.kind === "call" && open.progress.state() === "nothing") {
      add({ type: "input_json_delta", partial_json: "{}" });
    }
    open = null;
    emit({ type: "content_block_stop", index });
  }

  return {
    add,
    close,
    current: (): OpenBlock | null => open,

    start(content_block: MessagesEvent, block: OpenBlock): void {
      close();
      index++;
      open = block;
      emit({ type: "content_block_start", index, content_block });
    },

    /** A call whose arguments go on: nothing else may be written. */
    isBusy: (): boolean => open?.kind === "call" && open.progress.state() !== "complete",
  };
}

export type BlockLine = ReturnType<typeof createBlockLine>;
