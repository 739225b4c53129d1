import type { MessagesEvent } from "../read-event.ts";

/** The blocks of a message that have begun and not ended. */
export function createOpenBlocks() {
  const open = new Set<number>();
  let last = -1;
  return {
    /** The index of the block that an event is about, taking it in. */
    place({ type, index }: MessagesEvent): number {
      const isStart = type === "content_block_start";
      const isIndex = typeof index === "number" && Number.isSafeInteger(index) && index >= 0;
      const meant = isStart ? last + 1 : Math.max(0, last);
      const placed = isIndex ? index : meant;
      if (isStart) {
        open.add(placed);
        last = Math.max(last, placed);
      }
      if (type === "content_block_stop") open.delete(placed);
      return placed;
    },

    /** No block has begun at all. */
    isEmpty: (): boolean => last === -1,

    closeAll(): readonly number[] {
      const left = [...open];
      open.clear();
      return left;
    },
  };
}
