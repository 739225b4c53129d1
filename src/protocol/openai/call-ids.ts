/** Ids for the tool calls of one answer that came without; `seed` is unique to it. */
export function createCallIds(seed: string): () => string {
  let made = 0;
  return () => `call_${seed.replaceAll("-", "")}${made++}`;
}
