/**
 * What judging an answer costs: nanoseconds per UTF-16 unit of a streamed text beside a bare loop that
 * joins the same deltas, the judgement at the end, and what an early suspicion and a prompt cost.
 * `bun scripts/bench/verify.ts`
 */
import { PLAIN_ANSWER } from "../../src/verify/answer-facts.ts";
import { charsetProfile } from "../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../src/verify/scanner.ts";
import { createMojibakeScan } from "../../src/verify/text/mojibake.ts";

const ENGLISH =
  "The lighthouse on the northern cape was lit in 1871 and guided whalers home; storms took its first lantern. ";
const FRENCH =
  "Le château se trouve près de l’arbre, derrière l’âne et la forêt ; l’hôtel est à côté. ";
const RUSSIAN =
  "У луны нет собственного света, она лишь отражает свет солнца, и форма её меняется. ";
const CHINESE = "月亮本身不会发光，它只是反射太阳的光，所以一个月里它的形状会不断变化。";
const CODE =
  "Use `list.map(fn)` or:\n```ts\nconst a = [1, 2].map((n) => n * 2);\n```\nBoth work <b>well</b>. ";

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const TEXTS: Readonly<Record<string, string>> = {
  English: ENGLISH,
  French: FRENCH,
  Russian: RUSSIAN,
  Chinese: CHINESE,
  "Markdown with code": CODE,
  "Russian, mangled": latin1(RUSSIAN),
};

const body = {
  model: "m",
  max_tokens: 4096,
  messages: [
    { role: "system", content: "You are brief. ".repeat(100) },
    { role: "user", content: "Tell me about the cape." },
  ],
};
const ROUNDS = 7;
const TOTAL = 2_000_000;

/** Texts with a number in each sentence, so that nothing loops. */
function textOf(sentence: string, length: number): string {
  let text = "";
  for (let n = 0; text.length < length; n++) text += `${n} ${sentence}`;
  return text.slice(0, length);
}

function deltasOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** Median milliseconds of one run. */
function median(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

const newScanner = () =>
  createScanner({ prompt: charsetProfile(body), request: readRequestFacts(body) });

function row(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(22) + cells.map((cell) => cell.padStart(16)).join(""));
}

row("streamed, 5 units each", ["bare ns/unit", "scan ns/unit", "ns/UTF-8 byte", "mojibake ns/u"]);
for (const [name, sentence] of Object.entries(TEXTS)) {
  const text = textOf(sentence, TOTAL);
  const deltas = deltasOf(text, 5);
  let joined = "";
  const bare = median(() => {
    joined = "";
    for (const delta of deltas) joined += delta;
  });
  const scan = median(() => {
    const scanner = newScanner();
    for (const delta of deltas) scanner.push(delta);
    scanner.isStartKnown();
  });
  const rule = median(() => {
    const mojibake = createMojibakeScan();
    for (const delta of deltas) mojibake.push(delta);
  });
  const perUnit = (ms: number) => ((ms * 1e6) / text.length).toFixed(2);
  const perByte = ((scan * 1e6) / Buffer.byteLength(text)).toFixed(2);
  row(name, [perUnit(bare), perUnit(scan), perByte, perUnit(rule)]);
  if (joined.length !== text.length) throw new Error("the bare loop lost text");
}

console.log("");
row("end of an answer", ["500 units µs", "4,000 µs", "16,000 µs"]);
for (const [name, sentence] of Object.entries(TEXTS)) {
  const cells = [500, 4_000, 16_000].map((length) => {
    const text = textOf(sentence, length);
    const runs = Array.from({ length: 200 }, () => {
      const scanner = newScanner();
      scanner.push(text);
      return scanner;
    });
    const started = performance.now();
    for (const scanner of runs) scanner.end({ ...PLAIN_ANSWER, finish: "stop" });
    return (((performance.now() - started) * 1e3) / runs.length).toFixed(0);
  });
  row(name, cells);
}

console.log("");
const CALLS = 20_000;
const each = (name: string, run: () => unknown) => {
  run();
  const ms = median(() => {
    for (let n = 0; n < CALLS; n++) run();
  });
  row(name, [`${((ms * 1e3) / CALLS).toFixed(2)} µs`]);
};
each("a scanner, no text", newScanner);
each("suspicion, 64 units", () => {
  const scanner = newScanner();
  scanner.push(ENGLISH.slice(0, 64));
  return scanner.suspicion();
});
each("charset of 1.5 KB", () => charsetProfile(body).charset());
