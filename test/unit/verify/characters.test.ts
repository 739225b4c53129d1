import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { CharacterScan } from "../../../src/verify/text/characters.ts";

function scanned(pieces: readonly string[]) {
  const scan = new CharacterScan();
  for (const piece of pieces) scan.push(piece);
  return scan;
}

type Range = readonly [first: number, last: number];

const LATIN: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0x024f],
  [0x1e00, 0x1eff],
];
const FOREIGN: readonly Range[] = [
  [0x0380, 0x077f],
  [0x0900, 0x0eff],
  [0x1000, 0x137f],
  [0x1780, 0x17ff],
  [0x3041, 0x30ff],
  [0x3400, 0x4d7f],
  [0x4e00, 0x9fff],
  [0xac00, 0xd77f],
];
const C0: readonly Range[] = [
  [0x01, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x7f],
];
const NON_ASCII: readonly Range[] = [
  [0x80, 0xdbff],
  [0xe000, 0xffff],
];

/** The same counts, each range by range. */
function counted(text: string) {
  const units = text.split("").map((unit) => unit.charCodeAt(0));
  const count = (...ranges: readonly Range[]) =>
    units.filter((unit) => ranges.some(([first, last]) => unit >= first && unit <= last)).length;
  return {
    characters: {
      c1: count([0x80, 0x9f]),
      nul: count([0, 0]),
      c0: count(...C0),
      replacement: count([0xfffd, 0xfffd]),
      spaces: count([0x20, 0x20]),
      letters: count(...LATIN, ...FOREIGN),
      foreign: count(...FOREIGN),
    },
    mojibake: { non_ascii: count(...NON_ASCII) },
  };
}

const anyPiece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom("plain words ", "é", "Ã©", "ð\u009F\u0098", "слово", "月の", "\uFFFD", "\0"),
);

test("every unit is counted for what it is, however the text was cut", () => {
  fc.assert(
    fc.property(fc.array(anyPiece), (pieces) => {
      const text = pieces.join("");

      expect(scanned(pieces).end()).toMatchObject(counted(text));
      expect(scanned(pieces).end()).toEqual(scanned([text]).end());
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  { pieces: ["plain", " words\n"], isAscii: true },
  { pieces: ["plain", "é"], isAscii: false },
  { pieces: ["plain Ã"], isAscii: false },
  { pieces: ["\uDE00"], isAscii: false },
  { pieces: ["月"], isAscii: false },
])("$pieces are ASCII so far: $isAscii", ({ pieces, isAscii }) => {
  expect(scanned(pieces).isAscii()).toBe(isAscii);
});
