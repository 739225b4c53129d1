/**
 * Runs the tests of all clients against the compiled binary, prints what worked as a matrix and writes
 * it to docs/clients/matrix.md. `--print` leaves the page alone.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { formatted } from "./lib/formatted.ts";

const PAGE = "docs/clients/matrix.md";
const TESTS = "test/binary/clients/";

/** Columns, and the tests that each stands for. */
const FEATURES: readonly (readonly [name: string, tests: RegExp])[] = [
  ["answer", /gets an answer|answers a prompt/],
  ["stream", /gets a stream/],
  ["tools", /calls|runs a command/],
  ["image", /image/],
  ["structured", /structured/],
  ["reasoning", /reasoning/],
  ["abort", /goes away/],
  ["errors", /meets|no credit/],
  ["cut stream", /meets (breaks|cuts)|is cut/],
];

/** Dialects of targets, each with its letter. */
const TARGETS = [
  ["C", "on a chat target"],
  ["M", "on a messages target"],
  ["R", "on a responses target"],
] as const;

const INTRO = `# Clients

Written by \`bun scripts/client-docs.ts\`, which runs every client unmodified against the compiled router, in front of
a scripted vendor that speaks all three dialects. **C** worked on a chat target, **M** on a Messages target whose API turns
down what Anthropic's does, **R** on a Responses target; a small letter failed, a dot was not tried. "tools" are a call, two calls at
once and a full round, whole and streamed; "errors" are 402, 429 with and without a wait, 503 and a context that is too long, each with
the client's own error and the number of its requests.
`;

interface Case {
  readonly client: string;
  readonly target: string;
  readonly name: string;
  readonly passed: boolean;
}

const cases = await runTests();
const clients = [...new Set(cases.map(({ client }) => client))].toSorted();
const header = ["client", ...FEATURES.map(([name]) => name)];
const rows = clients.map((client) => rowOf(client));
const table = [header, header.map(() => "---"), ...rows]
  .map((row) => `| ${row.join(" | ")} |`)
  .join("\n");
console.log(table);
const failed = cases.filter(({ passed }) => !passed);
for (const { client, target, name } of failed) console.log(`failed: ${client}, ${target}: ${name}`);
if (!process.argv.includes("--print")) {
  await Bun.write(PAGE, formatted(PAGE, `${INTRO}\n${table}\n`));
}
process.exit(failed.length === 0 ? 0 : 1);

function rowOf(client: string): readonly string[] {
  const cells = FEATURES.map(([, tests]) => cell(client, tests));
  return [client, ...cells];
}

function cell(client: string, tests: RegExp): string {
  return TARGETS.map(([letter, target]) => {
    const own = cases.filter(
      (each) => each.client === client && each.target === target && tests.test(each.name),
    );
    if (own.length === 0) return "·";
    return own.every(({ passed }) => passed) ? letter : letter.toLowerCase();
  }).join("");
}

async function runTests(): Promise<readonly Case[]> {
  const report = join(tmpdir(), `client-matrix-${process.pid}.xml`);
  const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
  const child = Bun.spawn(["bun", "test", "--timeout=60000", ...reporting, TESTS], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
  const xml = readFileSync(report, "utf8");
  return [
    ...xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(\/>|>)(\s*<failure)?/g),
  ]
    .map(([, name = "", scope = "", , failure]): Case => {
      const [target = "", ...client] = unescaped(scope).split(" > ");
      return {
        client: client.toReversed().join(" > "),
        target,
        name: unescaped(name),
        passed: failure === undefined,
      };
    })
    .filter(({ target }) => TARGETS.some(([, name]) => name === target));
}

function unescaped(text: string): string {
  return text
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
