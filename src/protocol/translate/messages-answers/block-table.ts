import type { OpenCall } from "./decode-call.ts";

type Block =
  | OpenCall
  | { readonly kind: "text" }
  /** `entry` counts the blocks of reasoning. */
  | { readonly kind: "reasoning"; readonly entry: number }
  /** What chat has no room for. */
  | { readonly kind: "lost" };

/** The blocks of a message by index; an event that names none means the block opened last. */
export function createBlockTable() {
  const blocks = new Map<number, Block>();
  let last: Block | undefined;
  let reasonings = 0;

  const at = (index: unknown) => (typeof index === "number" ? blocks.get(index) : last);

  function put(index: unknown, block: Block): void {
    last = block;
    if (typeof index === "number") blocks.set(index, block);
  }

  function openReasoning(index: unknown): number {
    const entry = reasonings++;
    put(index, { kind: "reasoning", entry });
    return entry;
  }

  return {
    at,
    put,
    openReasoning,

    /** The entry of the reasoning block there, opened if nothing did. */
    reasoningAt(index: unknown): number {
      const block = at(index);
      return block?.kind === "reasoning" ? block.entry : openReasoning(index);
    },
  };
}
