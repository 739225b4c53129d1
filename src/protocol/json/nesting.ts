/** Deeper than any real answer, and far from where walking a value level by level runs out of stack. */
const MAX_NESTING = 1000;

/** Whether `value` nests too deeply to be written as JSON again, or to be joined with another. */
export function isTooDeep(value: unknown): boolean {
  // Level after level instead of a recursion, which is what would run out of stack.
  let level = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth++) {
    const containers = level.filter((entry) => typeof entry === "object" && entry !== null);
    if (containers.length === 0) return false;
    level = containers.flatMap((entry) => Object.values(entry));
  }
  return true;
}
