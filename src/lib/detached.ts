const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The same text on its own, to be kept: one cut from a longer text keeps all of that in memory. */
export function detached(text: string): string {
  return decoder.decode(encoder.encode(text));
}
