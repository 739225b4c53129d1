/** The router's own way from an upstream's bytes, in the chunks they came in, to the text of an answer. */
export type Decode = (chunks: readonly Uint8Array[]) => string;

export type SelfTest =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** `lost`: characters were replaced; `mangled`: read by another charset; `different`: all else. */
      readonly fault: "lost" | "mangled" | "different";
      /** Size of the chunks it happened with, in bytes. */
      readonly chunk_bytes: number;
    };

/** A letter, a dash, a Han character and an emoji: two, three and four bytes. */
const TEXT = "é — 中 😀";

/** Half as bytes, half as the escapes of servers that write ASCII only. */
const STREAM = new TextEncoder().encode(
  [
    frame(JSON.stringify(TEXT)),
    frame(String.raw`"\u00e9 \u2014 \u4e2d \ud83d\ude00"`),
    "data: [DONE]\n\n",
  ].join(""),
);

function frame(content: string): string {
  return `data: {"choices":[{"index":0,"delta":{"content":${content}},"finish_reason":null}]}\n\n`;
}

const CHUNK_SIZES = [1, 2, 3, 5, 64, STREAM.length];

/**
 * Sends a known stream through the router's own decoding, cut in many ways. Whoever scores providers by
 * the characters they send must first know that it does not break them itself.
 */
export function testDecoding(decode: Decode): SelfTest {
  for (const chunk_bytes of CHUNK_SIZES) {
    const text = decode(cut(STREAM, chunk_bytes));
    if (text !== TEXT + TEXT) return { ok: false, fault: faultOf(text), chunk_bytes };
  }
  return { ok: true };
}

function faultOf(text: string): "lost" | "mangled" | "different" {
  if (text.includes("\uFFFD")) return "lost";
  return text.includes("Ã") ? "mangled" : "different";
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
