import { GREEK, NO_SCRIPT, scriptOf } from "./scripts.ts";

const OPENING = new Set("(“\"'‘«‹「『[（*_/=`");

/** A formula has single Greek letters, or two. */
const MIN_BURST = 2;
const MIN_GREEK_BURST = 3;

/** Counts letters of other writings than Latin, and the runs of them that nothing introduces. */
export function createBurstScan() {
  let foreign = 0;
  let bursts = 0;
  let script = NO_SCRIPT;
  let length = 0;
  let isShown = false;
  let last = -1;

  return {
    /** Takes in a unit beyond ASCII, at its position in the text and with the unit before it. */
    read(unit: number, position: number, previous: number): void {
      const found = scriptOf(unit);
      if (found === NO_SCRIPT) return;
      if (found !== script || position !== last + 1) {
        length = 0;
        isShown = OPENING.has(String.fromCharCode(previous));
      }
      script = found;
      last = position;
      length++;
      foreign++;
      const least = found === GREEK ? MIN_GREEK_BURST : MIN_BURST;
      if (length === least && !isShown) bursts++;
    },

    counts: () => ({ foreign, bursts }),
  };
}
