/**
 * What judging an answer costs in processor time, which other work on the machine disturbs least: per
 * UTF-16 unit and per byte of a text streamed in deltas of 5 units, beside bare loops that sum the units of
 * the same deltas and that join them; then the judgement at the end, an early suspicion, and a prompt. The
 * best of several rounds.
 * `bun scripts/bench/verify.ts`
 */
import { PLAIN_ANSWER } from "../../src/verify/answer-facts.ts";
import { charsetProfile } from "../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../src/verify/scanner.ts";
import { CharacterScan } from "../../src/verify/text/characters.ts";

const RUSSIAN =
  "У луны нет собственного света, она лишь отражает свет солнца, и форма её меняется. ";
const TEXTS: Readonly<Record<string, string>> = {
  English:
    "The lighthouse on the northern cape was lit in 1871 and guided whalers home; storms took its lantern. ",
  French: "Le château se trouve près de l’arbre, derrière l’âne et la forêt ; l’hôtel est à côté. ",
  Russian: RUSSIAN,
  Chinese: "月亮本身不会发光，它只是反射太阳的光，所以一个月里它的形状会不断变化。",
  "Markdown with code":
    "Use `list.map(fn)` or:\n```ts\nconst a = [1, 2].map((n) => n * 2);\n```\nBoth work <b>well</b>. ",
  "Russian, mangled": Buffer.from(RUSSIAN, "utf8").toString("latin1"),
};

const body = {
  model: "m",
  max_tokens: 4096,
  messages: [
    { role: "system", content: "You are brief. ".repeat(100) },
    { role: "user", content: "Tell me about the cape." },
  ],
};
const ROUNDS = 15;
const UNITS = 1_000_000;

/** A number in each sentence keeps the text from looping. */
function textOf(sentence: string, length: number): string {
  let text = "";
  for (let n = 0; text.length < length; n++) text += `${n} ${sentence}`;
  return Buffer.from(text.slice(0, length)).toString();
}

function deltasOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** Microseconds of processor time of the best run. */
function best(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

const newScanner = () =>
  createScanner({ prompt: charsetProfile(body), request: readRequestFacts(body) });

const per = (microseconds: number, count: number) => ((microseconds * 1e3) / count).toFixed(2);

function row(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(24) + cells.map((cell) => cell.padStart(12)).join(""));
}

row("streamed, ns", ["sum/unit", "join/unit", "pass/unit", "scan/unit", "scan/byte", "scan ÷ sum"]);
for (const [name, sentence] of Object.entries(TEXTS)) {
  const text = textOf(sentence, UNITS);
  const deltas = deltasOf(text, 5);
  const joined: string[] = [];
  let total = 0;
  const sum = best(() => {
    for (const delta of deltas) {
      for (let at = 0; at < delta.length; at++) total += delta.charCodeAt(at);
    }
  });
  const join = best(() => {
    let block = "";
    joined.length = 0;
    for (const delta of deltas) {
      block += delta;
      if (block.length < 2_048) continue;
      // Reading one unit makes the engine lay the pieces out as one text.
      if (block.charCodeAt(7) > 0) joined.push(block);
      block = "";
    }
  });
  const pass = best(() => {
    const characters = new CharacterScan();
    for (const block of joined) characters.push(block);
  });
  const scan = best(() => {
    const scanner = newScanner();
    for (const delta of deltas) scanner.push(delta);
  });
  row(name, [
    ...[sum, join, pass, scan].map((time) => per(time, text.length)),
    per(scan, Buffer.byteLength(text)),
    `${(scan / sum).toFixed(1)}×`,
  ]);
}

const ANSWERS = 100;
console.log("");
row("end of an answer", ["500 units", "4,000", "16,000"]);
for (const [name, sentence] of Object.entries(TEXTS)) {
  const cells = [500, 4_000, 16_000].map((length) => {
    const text = textOf(sentence, length);
    const ends = Array.from({ length: ROUNDS }, () => {
      const scanners = Array.from({ length: ANSWERS }, newScanner);
      for (const scanner of scanners) scanner.push(text);
      const before = process.cpuUsage();
      for (const scanner of scanners) scanner.end({ ...PLAIN_ANSWER, finish: "stop" });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / ANSWERS;
    });
    return `${Math.min(...ends).toFixed(0)} µs`;
  });
  row(name, cells);
}

const CALLS = 10_000;
const each = (name: string, run: () => unknown) => {
  const microseconds = best(() => {
    for (let n = 0; n < CALLS; n++) run();
  });
  row(name, [`${(microseconds / CALLS).toFixed(2)} µs`]);
};
console.log("");
each("a scanner, no text", newScanner);
each("suspicion of 64 units", () => {
  const scanner = newScanner();
  scanner.push(TEXTS["English"]?.slice(0, 64) ?? "");
  return scanner.suspicion();
});
each("charset of 1.5 KB", () => charsetProfile(body).charset());
