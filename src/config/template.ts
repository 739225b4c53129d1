import { type ConfigKey, configKeys, describedSections } from "./keys.ts";
import { formatKey } from "./problem.ts";
import { Config } from "./schema.ts";
import { isTable } from "./tree.ts";
import { choicesOf } from "./words.ts";

/** Names that the examples of named tables use. */
const EXAMPLE_NAMES: Readonly<Record<string, string>> = {
  providers: "nim",
  pools: "main",
  profiles: "frugal",
  notifications: "ops",
};

const INTRO = `Settings of veriroute. Each one is commented out and shows its default, or an example where it has
none: take the \`#\` away to change it. \`veriroute check\` names every mistake, and a running router
takes changes over on SIGHUP.

Secrets: \`"\${VAR}"\`, \`"\${VAR:-default}"\` and \`"file:/path"\` keep them out of this file.`;

/** The config that `veriroute init` writes: every key, commented out, with its description and default. */
export function configTemplate(): string {
  const sections = describedSections().map(({ name, description }) => section(name, description));
  return `${comment(INTRO, 100)}\n\n${sections.join("\n")}`;
}

function section(name: string, description: string): string {
  const keys = configKeys().filter(({ path }) => path[0] === name);
  const about = comment(description, 98);
  const named = keys.some(({ path }) => path[1] === "*");
  const body = keys.map((key) => setting(key)).join("\n");
  if (!named) return `${about}\n[${name}]\n${body}`;
  const example = EXAMPLE_NAMES[name];
  return example === undefined
    ? `${about}\n[${name}]\n${exampleEntries(name)}`
    : `${about}\n# [${name}.${example}]\n${body}`;
}

function setting(key: ConfigKey): string {
  const value = key.default ?? exampleOf(key);
  return `${comment(key.description, 98)}\n# ${key.key} = ${tomlValue(value)}\n`;
}

/** A value that shows how a key without a default is written. */
function exampleOf(key: ConfigKey): unknown {
  const [first]: unknown[] = key.schema.examples ?? [];
  return first ?? choicesOf(key.schema)[0] ?? "";
}

/** Lines of a table whose keys are free text. */
function exampleEntries(name: string): string {
  const examples: unknown = Object.entries(Config.properties).find(([key]) => key === name)?.[1]
    .examples?.[0];
  const entries = isTable(examples) ? Object.entries(examples) : [];
  return entries.map(([key, value]) => `# ${formatKey(key)} = ${tomlValue(value)}\n`).join("");
}

/** A value as TOML writes it, on one line. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => tomlValue(element)).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${formatKey(key)} = ${tomlValue(inner)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Text as comment lines of at most `width` characters; its own line breaks stay. */
function comment(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "#" : wrap(line, width)))
    .join("\n");
}

function wrap(line: string, width: number): string {
  const lines: string[] = [];
  for (const word of line.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
