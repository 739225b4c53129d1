import type { ParamValues } from "../params.ts";

const C1_START = 0x80;
const C1_END = 0xa0;

/** U+0080 to U+009F of windows-1252, as code point to byte. */
const SPECIALS: ReadonlyMap<string, number> = new Map(
  Array.from({ length: C1_END - C1_START }, (_, index) => {
    const byte = C1_START + index;
    return [new TextDecoder("windows-1252").decode(Uint8Array.of(byte)), byte];
  }),
);

const utf8 = new TextEncoder();

/** `text` after a server read its UTF-8 bytes as a one-byte charset, `layers` times over. */
export function breakEncoding(text: string, params: ParamValues): string {
  const form = params.text("form");
  if (form === "replacement") return text.replaceAll(/[^\0-\x7f]/gu, "\u{fffd}");
  if (form === "invalid") return text;
  let broken = text;
  for (let layer = 0; layer < params.number("layers"); layer++) {
    const bytes = Buffer.from(broken, "utf8");
    // The label `latin1` of TextDecoder means windows-1252; only Buffer reads the real thing.
    broken =
      form === "latin1" ? bytes.toString("latin1") : new TextDecoder("windows-1252").decode(bytes);
  }
  return broken;
}

export type Encode = (text: string) => Uint8Array;

export const encodeUtf8: Encode = (text) => utf8.encode(text);

/** Bytes that are windows-1252 where the client expects UTF-8; what has no byte there stays ASCII. */
export const encodeWindows1252: Encode = (text) => Uint8Array.from(Array.from(text, byteOf));

function byteOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return SPECIALS.get(character) ?? (code < 0x100 ? code : 0x3f);
}
