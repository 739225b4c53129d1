import { expect, test } from "bun:test";

/** The text of every call of `Bun.spawn` or `Bun.spawnSync`, arguments and all. */
function spawnCalls(text: string): string[] {
  return [...text.matchAll(/Bun\.spawn(?:Sync)?\(/g)].map(({ index, 0: head }) => {
    let depth = 1;
    let end = index + head.length;
    while (depth > 0 && end < text.length) {
      if (text[end] === "(") depth += 1;
      if (text[end] === ")") depth -= 1;
      end += 1;
    }
    return text.slice(index, end);
  });
}

const files = [...new Bun.Glob("**/*.ts").scanSync("test")].filter(
  (file) => file !== "architecture/children.test.ts",
);

// Left out, it is the one the tests were started with, home and credentials included, whatever the
// preload made of `process.env`.
test.each(files)("%s names the environment of the processes it starts", async (file) => {
  const calls = spawnCalls(await Bun.file(`test/${file}`).text());

  expect(calls.filter((call) => !/\benv\b/.test(call))).toEqual([]);
});

const runtimeFiles = [...new Bun.Glob("**/*.ts").scanSync("src/runtimes")].filter(
  (file) => file !== "child.ts" && file !== "create-commands.ts",
);

// Each of these commands may cost money: one seam, `create-commands.ts`, gives all of them a time limit, an environment that
// is named, and a line in the log.
test.each(runtimeFiles)("runtimes/%s starts no process by itself", async (file) => {
  const text = await Bun.file(`src/runtimes/${file}`).text();

  expect(text.match(STARTS_A_PROCESS)?.[0]).toBeUndefined();
});

const STARTS_A_PROCESS =
  /\bBun\.(?:spawn|\$)|\bchild_process\b|\bexecve\(|\bspawn\b[^;]*from "(?:bun|[^"]*\/child\.ts)"/;

test.each([
  "Bun.spawn([",
  "Bun.spawnSync([",
  "await Bun.$`ls`",
  'from "node:child_process"',
  'import { spawn } from "../child.ts"',
])("the rule sees %s", (text) => {
  expect(STARTS_A_PROCESS.test(text)).toBe(true);
});
