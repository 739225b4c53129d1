/**
 * Everything that must hold before a change lands, as one command; `scripts/test` runs it.
 * A stage without tests of its own (format, lint …) counts as one item.
 */
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";

import { closingLines, countsOf, type Outcome } from "./lib/outcome.ts";

const root = dirname(import.meta.dir);
const TEST_TIMEOUT_MS = 60_000;
const CORES = availableParallelism();
const SHIFTED = { VERIROUTE_TEST_SHIFT_YEARS: "25" };
const seed = process.env["VERIROUTE_SEED"] ?? String(Math.floor(Math.random() * 2 ** 31));
const env = { ...process.env, NO_COLOR: "1" };

/** Output goes on as it comes and is kept for its counts. */
async function run(command: readonly string[], extra: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...env, ...extra },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    copy(child.stdout, process.stdout),
    copy(child.stderr, process.stderr),
    child.exited,
  ]);
  return { output: `${out}\n${err}`, code };
}

async function copy(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of from) {
    to.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

async function stage(name: string, command: readonly string[]): Promise<Outcome> {
  console.log(`— ${name}`);
  const { code } = await run(command);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, skips: [] };
}

interface TestRun {
  readonly folders: readonly string[];
  readonly extra?: Record<string, string>;
  /** Files; by default one for each processor. */
  readonly at_once?: number;
}

/** Runs the test files below `folders`; a crash or a file that does not load is a failure too. */
async function tests(name: string, { folders, extra, at_once = CORES }: TestRun) {
  console.log(`— ${name}, in random order (again in this order: VERIROUTE_SEED=${seed})`);
  const command = [
    "bun",
    "test",
    `--parallel=${at_once}`,
    "--only-failures",
    "--randomize",
    `--seed=${seed}`,
    // A busy machine is no failure; a test that hangs still ends.
    `--timeout=${TEST_TIMEOUT_MS}`,
  ];
  const { output, code } = await run([...command, ...folders], extra);
  return countsOf(name, output, code);
}

/** Folders of `test/` that hold tests of the sources; the binary's come after the build. */
function sourceTestFolders(): string[] {
  const files = [...new Bun.Glob("*/**/*.test.ts").scanSync(join(root, "test"))];
  return [...new Set(files.map((file) => `test/${file.split("/")[0]}/`))]
    .filter((folder) => folder !== "test/binary/")
    .toSorted();
}

const outcomes = [
  await stage("format", ["bun", "fmt", "--check"]),
  await stage("lint", ["bun", "run", "lint"]),
  await stage("types", ["bun", "check", "--no-script"]),
  await stage("dead code", ["bun", "run", "deadcode"]),
  await tests("tests", { folders: sourceTestFolders() }),
  // Clocks are injected; a test that meets the real one fails here instead of next year.
  await tests("25 years ahead", { folders: ["test/unit/", "test/contract/"], extra: SHIFTED }),
  await stage("build", ["bun", "scripts/build.ts"]),
  await tests("binary", {
    folders: ["test/binary/"],
    extra: { VERIROUTE_BINARY: join(root, "dist", "veriroute") },
    // Most of them wait for clocks and other processes, not for a processor.
    at_once: Math.max(3, CORES),
  }),
];
const { lines, failed } = closingLines(outcomes, process.env["VERIROUTE_REQUIRE_ALL"] === "1");
console.log(lines.join("\n"));
process.exit(failed === 0 ? 0 : 1);
