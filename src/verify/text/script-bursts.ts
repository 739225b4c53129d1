import { scriptOf } from "./scripts.ts";

const OPENING = new Set("(“\"'‘«‹「『[（*_/=`");

/** A formula has single Greek letters, or two. */
const MIN_BURST = 2;
const MIN_GREEK_BURST = 3;

/** Counts letters of other writings than Latin, and the runs of them that nothing introduces. */
export function createBurstScan() {
  let foreign = 0;
  let bursts = 0;
  let script: string | null = null;
  let length = 0;
  let isShown = false;
  let previous = 0;

  return {
    read(unit: number): void {
      const found = unit < 0x80 ? null : scriptOf(unit);
      if (found === null) length = 0;
      else {
        if (found !== script) length = 0;
        if (length === 0) isShown = OPENING.has(String.fromCharCode(previous));
        length++;
        foreign++;
        const least = found === "greek" ? MIN_GREEK_BURST : MIN_BURST;
        if (length === least && !isShown) bursts++;
      }
      script = found;
      previous = unit;
    },

    counts: () => ({ foreign, bursts }),
  };
}
