const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
/** Names of tools as the API takes them. */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

export function isToolName(name: string): boolean {
  return NAME.test(name);
}

/** A name in the history, where nothing but its shape matters any more. */
export function toolName(name: string): string {
  return name.replaceAll(NOT_ALLOWED, "_").slice(0, 128) || "unnamed";
}

export interface CallIds {
  /** The id for the next call of this name; the same history always gives the same ids. */
  take(id: string): string;
}

/**
 * Ids for the tool calls of one conversation: the client's own as far as the API takes it, and each
 * only once, since some vendors number every answer's calls anew.
 */
export function createHistoryIds(): CallIds {
  const used = new Set<string>();
  /** By id, the number that its next one is to try. */
  const numbers = new Map<string, number>();
  return {
    take: (id) => {
      const base = id.replaceAll(NOT_ALLOWED, "_") || "call";
      let free = base;
      let number = numbers.get(base) ?? 2;
      while (used.has(free)) free = `${base}_${number++}`;
      numbers.set(base, number);
      used.add(free);
      return free;
    },
  };
}
