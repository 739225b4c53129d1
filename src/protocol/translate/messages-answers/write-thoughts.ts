import type { OnLoss } from "../answer-loss.ts";
import type { BlockLine } from "./block-line.ts";
import type { Entry } from "./pieces.ts";

/** Writes blocks of thinking; one ends with its signature, or with anything else that is said. */
export function createThoughts(line: BlockLine, onLoss: OnLoss) {
  const begun = new Set<Entry>();

  function start(entry: Entry, signature: string | null): void {
    begun.add(entry);
    const block = { type: "thinking", thinking: "", signature: "" };
    line.start(block, { kind: "thinking", entry, signature });
  }

  return {
    think(text: string, entry: Entry): void {
      const open = line.current();
      const isOpen = open?.kind === "thinking" && open.signature === null;
      if (!isOpen || !isSame(open.entry, entry)) start(entry, null);
      line.add({ type: "thinking_delta", thinking: text });
    },

    /** Models may keep their thoughts to themselves: then a signature is all there is of them. */
    sign(signature: string, entry: Entry): void {
      const open = line.current();
      if (open?.kind === "thinking" && isSame(open.entry, entry)) open.signature = signature;
      // Over a text that it was not made for, a signature would be refused.
      else if (begun.has(entry) || begun.has(null)) onLoss("reasoning_details.signature");
      else start(entry, signature);
    },
  };
}

/** Entries that the upstream does not number belong to whatever is open. */
const isSame = (a: Entry, b: Entry) => a === b || a === null || b === null;
