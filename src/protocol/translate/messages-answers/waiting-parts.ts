import type { CallFragment, Part } from "./write-parts.ts";

/** Parts that wait for their turn, in order; the fragments of one call wait as one. */
export function createWaitingParts() {
  let parts: Part[] = [];
  let calls = new Map<number, CallFragment>();
  return {
    isEmpty: (): boolean => parts.length === 0,

    add(part: Part): void {
      if (part.kind !== "fragment") {
        parts.push(part);
        return;
      }
      const known = calls.get(part.call);
      if (known) {
        known.text += part.text;
        return;
      }
      const fragment = { ...part };
      calls.set(part.call, fragment);
      parts.push(fragment);
    },

    /** All of them, which then wait no more. */
    take(): readonly Part[] {
      const taken = parts;
      parts = [];
      calls = new Map();
      return taken;
    },
  };
}
