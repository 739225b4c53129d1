import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { providerDocs } from "../../scripts/provider-docs.ts";
import { parseSpec } from "../../src/address/spec.ts";
import { PROVIDER_TYPES } from "../../src/catalog/provider-types.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parseWords } from "../../src/cli/parsing/parse-words.ts";
import { configKeys, sectionNames } from "../../src/config/keys.ts";
import { formatPath } from "../../src/config/problem.ts";
import { ERRORS } from "../../src/protocol/error-codes.ts";

const files = ["*.md", "docs/**/*.md", "src/**/*.md", "test/**/*.md"]
  .flatMap((pattern) => Array.from(new Bun.Glob(pattern).scanSync(".")))
  .toSorted();
const pages = await Promise.all(
  files.map(async (file) => ({ file, text: await Bun.file(file).text() })),
);

/** What stands in backticks or on a line of a code block. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```[a-z]*\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  const prose = text.replaceAll(/^```[a-z]*\n.*?^```/gms, "");
  return [...blocks, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code)];
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));

async function brokenLinks({ file, text }: { file: string; text: string }): Promise<string[]> {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = await Promise.all(
    links
      .filter((link) => !/^[a-z]+:/.test(link))
      .map(async (link) => {
        const [path = "", anchor] = link.split("#");
        const target = join(dirname(file), path);
        if (path !== "" && !existsSync(target)) return [link];
        if (anchor === undefined) return [];
        const there = path === "" ? text : await Bun.file(target).text();
        return anchorsOf(there).includes(anchor) ? [] : [link];
      }),
  );
  return broken.flat();
}

test.each(pages)("every link of $file leads somewhere", async (page) => {
  expect(await brokenLinks(page)).toEqual([]);
});

test.each<{ text: string; broken: string[] }>([
  { text: "[a](no-such.md)", broken: ["no-such.md"] },
  { text: "[a](README.md#no-such-heading)", broken: ["README.md#no-such-heading"] },
  { text: "[a](#b-c) ## no\n## B `c`!\n[d](https://example.org/x)", broken: [] },
])("the link check finds $broken in $text", async ({ text, broken }) => {
  expect(await brokenLinks({ file: "CHANGELOG.md", text })).toEqual(broken);
});

const heads = PROVIDER_TYPES.map(({ id }) => id).join("|");

/** Spec strings such as `openai:gpt-5.4`, by the provider types that exist. */
const specsIn = (text: string) =>
  codeIn(text).flatMap((code) =>
    [...code.matchAll(new RegExp(`(?<![\\w./-])(?:${heads}):(?!//)[^\\s"'\`,;)]+`, "g"))].map(
      ([spec]) => spec,
    ),
  );

test.each(pages)("every `provider:model` in $file parses", ({ text }) => {
  expect(specsIn(text).filter((spec) => !parseSpec(spec).ok)).toEqual([]);
});

test("the docs name specs, so that the check above has something to look at", () => {
  expect(pages.flatMap(({ text }) => specsIn(text)).length).toBeGreaterThan(0);
});

/** `section.key` in backticks, where the section exists and it is no source file; placeholders in angle brackets count as names. */
const settingsIn = (text: string) =>
  codeIn(text).flatMap((code) => {
    const [, setting] =
      new RegExp(`^((?:${sectionNames().join("|")})\\.(?!ts$)[a-z_.]+)$`).exec(code) ?? [];
    return setting === undefined ? [] : [setting];
  });

const knownSettings = new Set(configKeys().map(({ path }) => formatPath(path)));

test.each(pages)("every `section.key` in $file is a setting", ({ text }) => {
  expect(settingsIn(text).filter((setting) => !knownSettings.has(setting))).toEqual([]);
});

/** Command lines of `veriroute`, up to what a shell would take away. */
const commandLinesIn = (text: string) =>
  codeIn(text).flatMap((code) => {
    const [, line] = /^(?:\S*\/)?veriroute((?: [^|>&;#\n]*)?)/.exec(code) ?? [];
    return line === undefined ? [] : [line.trim().split(/ +/).filter(Boolean)];
  });

function usageProblemOf([name = "serve", ...words]: readonly string[]): string | null {
  if (/^[A-Z<{-]/.test(name)) return null;
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) return `unknown command ${name}`;
  const parsed = parseWords(words, command);
  return parsed.kind === "problem" ? parsed.problem : null;
}

test.each(pages.filter(({ file }) => !file.startsWith("docs/decisions/")))(
  "every command line in $file is one",
  ({ text }) => {
    const problems = commandLinesIn(text).map((line) => [line.join(" "), usageProblemOf(line)]);

    expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
  },
);

test("the README lists every command", async () => {
  const named = new Set(commandLinesIn(await Bun.file("README.md").text()).map(([name]) => name));

  expect(COMMANDS.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test("docs/errors.md describes every error code and no other", async () => {
  const text = await Bun.file("docs/errors.md").text();
  const documented = [...text.matchAll(/^\| *`([a-z_]+)`/gm)].map(([, code = ""]) => code);

  expect(documented.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test("docs/providers.md is what `bun scripts/provider-docs.ts` writes", async () => {
  expect(await Bun.file("docs/providers.md").text()).toBe(providerDocs());
});

test("docs/configuration.md names every setting", async () => {
  const text = await Bun.file("docs/configuration.md").text();

  expect(configKeys().filter(({ key }) => key !== "*" && !text.includes(`\`${key}\``))).toEqual([]);
});
