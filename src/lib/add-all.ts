/** Adds to the end of a list. As arguments of one `push`, a million values overflow the stack. */
export function addAll<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}
