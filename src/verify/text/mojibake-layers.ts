import { CharacterScan } from "./characters.ts";
import { CONTINUATIONS, LOST, lowByte } from "./mojibake-bytes.ts";
import { mojibakeLevel } from "./mojibake.ts";

const SEQUENCES = new RegExp(
  `[\\xC2-\\xDF][${CONTINUATIONS}]|[\\xE0-\\xEF][${CONTINUATIONS}]{2}|[\\xF0-\\xF4][${CONTINUATIONS}]{3}`,
  "g",
);

const MAX_LAYERS = 3;

/** How often over a mangled text was decoded wrong, as far as can be told; at least 1. */
export function mojibakeLayers(text: string): number {
  let rest = undoLayer(text);
  let layers = 1;
  while (layers < MAX_LAYERS && isMangled(rest)) {
    rest = undoLayer(rest);
    layers++;
  }
  return layers;
}

function isMangled(text: string): boolean {
  const scan = new CharacterScan();
  scan.push(text);
  return mojibakeLevel(scan.end().mojibake) === "mangled";
}

function undoLayer(text: string): string {
  return text.replace(SEQUENCES, (sequence) => {
    const bytes = Array.from(sequence, (char) => lowByte(char.charCodeAt(0)));
    if (bytes.includes(LOST)) return sequence;
    const [lead = 0, ...rest] = bytes;
    const point = rest.reduce(
      (sum, byte) => (sum << 6) | (byte & 0x3f),
      lead & (0x3f >> rest.length),
    );
    return point > 0x10ffff ? sequence : String.fromCodePoint(point);
  });
}
