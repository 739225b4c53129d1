import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { CharacterScan } from "../../../src/verify/text/characters.ts";
import { mojibakeLayers } from "../../../src/verify/text/mojibake-layers.ts";
import { mojibakeLevel } from "../../../src/verify/text/mojibake.ts";

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex").toString("utf8");
const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const cp1252 = (text: string) => new TextDecoder("windows-1252").decode(Buffer.from(text, "utf8"));
/** A decoder that has no character for five of the bytes replaces them. */
const strictCp1252 = (text: string) => cp1252(text).replaceAll(/[\x81\x8D\x8F\x90\x9D]/g, "\uFFFD");

function levelOf(...pieces: readonly string[]): string {
  const scan = new CharacterScan();
  for (const piece of pieces) scan.push(piece);
  return mojibakeLevel(scan.end().mojibake);
}

test.each([
  { name: "an em dash by latin-1", hex: "c3 a2 c2 80 c2 94", level: "mangled" },
  { name: "an em dash by windows-1252", hex: "c3 a2 e2 82 ac e2 80 9d", level: "mangled" },
  { name: "an em dash twice", hex: "c3 83 c2 a2 c3 82 c2 80 c3 82 c2 94", level: "mangled" },
  { name: "an emoji by latin-1", hex: "c3 b0 c2 9f c2 98 c2 80", level: "mangled" },
  { name: "an emoji by windows-1252", hex: "c3 b0 c5 b8 cb 9c e2 82 ac", level: "mangled" },
  { name: "a replacement character", hex: "c3 af c2 bf c2 bd", level: "mangled" },
  { name: "one letter", hex: "63 61 66 c3 83 c2 a9", level: "suspect" },
  { name: "one letter twice", hex: "c3 83 c2 83 c3 82 c2 a9", level: "mangled" },
  { name: "a letter that is right", hex: "63 61 66 c3 a9", level: "none" },
  { name: "an em dash that is right", hex: "61 20 e2 80 94 20 62", level: "none" },
])("$name is $level", ({ hex, level }) => {
  expect(levelOf(bytesOf(hex))).toBe(level);
});

const SENTENCES = [
  "Le château est près de l’arbre, où l’été fut très chaud.",
  "Der Käse schmeckt süß, größer wäre er zu müde.",
  "Nejdřív zkontroluj, jestli je kabel dobře zapojený.",
  "Mình thấy quán phở ở đầu ngõ rất ngon.",
  "Η σελήνη δεν έχει δικό της φως.",
  "Сначала проверь кабель, потом перезагрузи роутер.",
  "לירח אין אור משלו.",
  "ليس للقمر ضوء خاص به.",
  "चाँद की अपनी कोई रोशनी नहीं होती।",
  "ดวงจันทร์ไม่มีแสงในตัวเอง",
  "月は自分で光っているわけではありません。",
  "달은 스스로 빛을 내지 않습니다.",
  "Well done 🎉 — so proud of you 👍",
];

test.each(SENTENCES)("%s is found however it was mangled, and spared as it is", (sentence) => {
  expect(levelOf(sentence)).toBe("none");
  expect([latin1, cp1252, strictCp1252].map((mangle) => levelOf(mangle(sentence)))).toEqual([
    "mangled",
    "mangled",
    "mangled",
  ]);
});

const ACCENTED = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĄąŁłŞş".slice(
  0,
  64,
);
const FOLLOWING = "\u00A0¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿€‚„…†‡ˆ‰‹‘’“”•–—˜".slice(0, 47);
const SHAPES = [
  (pair: string) => `mot${pair}`,
  (pair: string) => `MOT${pair}`,
  (pair: string) => pair,
];
const CONTEXTS = [
  (word: string) => `Elle a dit ${word} et puis « à bientôt ».`,
  (word: string) => `“Où ?” — ${word} à São Paulo, là-bas.`,
];

test("no accented letter before any punctuation is taken for a mangled one", () => {
  const texts = Array.from(ACCENTED).flatMap((letter) =>
    Array.from(FOLLOWING).flatMap((mark) =>
      SHAPES.flatMap((shape) => CONTEXTS.map((context) => context(shape(letter + mark)))),
    ),
  );

  expect(texts.length).toBeGreaterThan(17_000);
  expect(texts.filter((text) => levelOf(text) !== "none")).toEqual([]);
});

test("a text about mojibake, which also prints the right letters, is spared", () => {
  expect(levelOf("“é” shows as “Ã©”, and ’ becomes “â€™”.")).toBe("none");
  expect(levelOf("shows as Ã© or â€™.")).toBe("mangled");
});

test("a capital before an ellipsis or a quote is no mangled letter", () => {
  expect(levelOf("AMANHÃ… E A IRMÃ”")).toBe("none");
  expect(levelOf("amanhã… e a irmã”")).toBe("none");
});

test.each([
  { name: "once", mangle: latin1, layers: 1 },
  { name: "twice", mangle: (text: string) => latin1(latin1(text)), layers: 2 },
  { name: "twice by windows-1252", mangle: (text: string) => cp1252(cp1252(text)), layers: 2 },
])("a text mangled $name has $layers layers", ({ mangle, layers }) => {
  expect(mojibakeLayers(mangle("L’été a été très chaud."))).toBe(layers);
});

test("how a text is cut changes nothing", () => {
  const texts = SENTENCES.flatMap((sentence) => [
    sentence,
    latin1(sentence),
    cp1252(sentence),
    strictCp1252(sentence),
    `AMANHÃ… ${latin1("é")} ${sentence}`,
  ]);
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 4 })), (text, sizes) => {
      const pieces: string[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      expect(levelOf(...pieces, text.slice(at))).toBe(levelOf(text));
    }),
    { numRuns: 2_000 },
  );
});
