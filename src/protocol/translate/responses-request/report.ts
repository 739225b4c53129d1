import type { Untranslatable } from "../translation.ts";

/** Collects what a translation could not carry over. */
export function createReport() {
  const lossy = new Set<string>();
  const refused: Untranslatable[] = [];
  return {
    /** A member that is left out, such as `tools.strict`. */
    lose: (path: string): void => {
      lossy.add(path);
    },
    refuse: (refusal: Untranslatable): void => {
      refused.push(refusal);
    },
    lossy: (): readonly string[] => [...lossy],
    refused: (): readonly Untranslatable[] => refused,
  };
}

export type Report = ReturnType<typeof createReport>;
