import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

/**
 * Verdicts steer traffic by rules of their own. What clients report, and what is learned of models from
 * that, must not rest on them: a signature that errs would else prove itself right.
 */
const LEARNS = /proficiency|outcome/i;

/** The folder of the verifier, and modules that are about its verdicts. */
const OF_VERIFIER = /^src\/.*verif/;
const TABLE = /\bverifications\b/;

const COMMENTS = /\/\*[^]*?\*\/|(?:^|\s)(?:\/\/|--)[^\n]*/g;
const IMPORTS = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** What `text`, living at `path`, imports in any way, types included. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)].map(([, to = ""]) => join(dirname(path), to));
}

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** What of these imports is there when the program runs; what is imported as a type is not. */
function valueImportsOf(path: string, text: string): string[] {
  return transpiler.scanImports(text).map((found) => join(dirname(path), found.path));
}

/** Ways in which a file that learns from clients depends on verdicts; `textOf` reads what it imports. */
function dependenciesOnVerdicts(
  path: string,
  text: string,
  textOf: (path: string) => string | undefined,
): string[] {
  if (!LEARNS.test(path)) return [];
  const direct = importsOf(path, text).filter((to) => OF_VERIFIER.test(to));
  const through = path.endsWith(".ts") ? valueImportsOf(path, text) : [];
  const indirect = through.flatMap((via) =>
    valueImportsOf(via, textOf(via) ?? "")
      .filter((to) => OF_VERIFIER.test(to))
      .map((to) => `${via} > ${to}`),
  );
  const read = TABLE.test(text.replaceAll(COMMENTS, "")) ? ["table verifications"] : [];
  return [...direct, ...indirect, ...read];
}

test.each<{ name: string; path: string; text: string; finds: string[] }>([
  {
    name: "an import of the verifier",
    path: "src/health/proficiency.ts",
    text: 'import { judgeOutput } from "../verify/judge.ts";',
    finds: ["src/verify/judge.ts"],
  },
  {
    name: "an import of its types",
    path: "src/health/proficiency/score.ts",
    text: 'import type { Verdict } from "../../verify/verdict.ts";',
    finds: ["src/verify/verdict.ts"],
  },
  {
    name: "a late import",
    path: "src/control/outcome-sink.ts",
    text: 'const { judgeOutput } = await import("../verify/judge.ts");',
    finds: ["src/verify/judge.ts"],
  },
  {
    name: "an import of what records verdicts",
    path: "src/control/outcomes.ts",
    text: 'import { createVerificationSink } from "./verification-sink.ts";\ncreateVerificationSink();',
    finds: ["src/control/verification-sink.ts"],
  },
  {
    name: "an import of what imports the verifier",
    path: "src/relay/outcomes.ts",
    text: 'import { scan } from "./scan.ts";\nscan();',
    finds: ["src/relay/scan.ts > src/verify/scanner.ts"],
  },
  {
    name: "a query of its table",
    path: "src/store/sqlite/outcomes.ts",
    text: "const sql = `SELECT verdict FROM attempts JOIN verifications USING (attempt_id)`;",
    finds: ["table verifications"],
  },
  {
    name: "a migration that reads its table",
    path: "src/store/migrations/0009-outcomes.sql",
    text: "INSERT INTO outcomes SELECT id FROM verifications;",
    finds: ["table verifications"],
  },
  {
    name: "nothing in a comment",
    path: "src/store/sqlite/outcomes.ts",
    text: "// Apart from verifications on purpose.\n/* verifications */ const sql = `SELECT id FROM outcomes`;",
    finds: [],
  },
  {
    name: "nothing in types at second hand",
    path: "src/relay/outcomes.ts",
    text: 'import type { Scan } from "./scan.ts";\nimport { of } from "./types-only.ts";\nof();',
    finds: [],
  },
  {
    name: "nothing in files about other things",
    path: "src/relay/judgement.ts",
    text: 'import { judgeOutput } from "../verify/judge.ts";\njudgeOutput();',
    finds: [],
  },
])("the rule finds $name", ({ path, text, finds }) => {
  const imported: Readonly<Record<string, string>> = {
    "src/relay/scan.ts": 'import { createScanner } from "../verify/scanner.ts";\ncreateScanner();',
    "src/relay/types-only.ts": 'import type { Verdict } from "../verify/verdict.ts";',
  };

  expect(dependenciesOnVerdicts(path, text, (via) => imported[via])).toEqual(finds);
});

test("what learns from clients depends on no verdict", async () => {
  const paths = [...new Bun.Glob("src/**/*.{ts,sql}").scanSync(".")];
  const texts = new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(path).text()] as const)),
  );
  const found = [...texts].flatMap(([path, text]) =>
    dependenciesOnVerdicts(path, text, (via) => texts.get(via)).map((what) => `${path}: ${what}`),
  );

  expect(texts.size).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
