/** Writes docs/configuration.md and docs/veriroute.schema.json from the config schema. */
import { KindGuard, OptionalKind, type TSchema } from "@sinclair/typebox";

import { variableName } from "../src/config/environment.ts";
import { type ConfigKey, configKeys, describedSections, recordEntry } from "../src/config/keys.ts";
import { Config } from "../src/config/schema.ts";
import { tomlValue } from "../src/config/template.ts";
import { isTable } from "../src/config/tree.ts";
import { choicesOf } from "../src/config/words.ts";

const INTRO = `# Configuration

Generated from \`src/config/schema.ts\` by \`bun scripts/config-docs.ts\`; edit that.

Nothing needs configuring: with no file at all the router uses the credentials it finds in the
environment and the local servers it finds on their usual ports. A file adds names, pools and limits.

## The file

\`--config FILE\`, else \`$VERIROUTE_CONFIG\`, else \`$XDG_CONFIG_HOME/veriroute/veriroute.toml\`
(\`~/.config/veriroute/veriroute.toml\`), else none. The working directory is never searched.
\`veriroute init\` writes a commented one, \`veriroute check\` names everything wrong with one: file, line,
column, key and what to do about it. A bad configuration ends the start with exit code 78.

Editors with a TOML language server check and complete the file when its first line is

\`\`\`toml
#:schema https://example.org/path/to/veriroute.schema.json
\`\`\`

with the path or URL of a copy of [veriroute.schema.json](veriroute.schema.json).

Durations are texts such as \`"45m"\`, \`"1h30m"\` or \`"250ms"\` (units ms, s, m, h, d); sizes are texts such
as \`"32MiB"\` (units B, KB, MB, GB, KiB, MiB, GiB).

## Where a value comes from

Default, then file, then environment, then store; the last one that has a value wins.

- **Environment**: \`VERIROUTE_<SECTION>_<KEY>\`, as listed below, with the name between the two in
  \`[providers.…]\` and \`[pools.…]\`: \`VERIROUTE_PROVIDERS_NIM_BASE_URL\`. The name is the one in the file that
  looks so in capitals, else it is taken in lower case. Lists are separated by commas or written as
  JSON. An empty variable counts as unset, but for lists, which it empties, and secrets, which may not
  be empty.
- **Store**: what \`PUT /admin/v1/config/{key}\` set, for the keys marked *writable*. A reload of the file
  does not change it; \`DELETE\` removes it.

SIGHUP and \`POST /admin/v1/config/reload\` read file and secrets again. A file with any problem leaves the
running configuration as it is. \`server.host\` and \`server.port\` wait for a restart.

## Secrets

Keys marked *secret* are never shown, logged or returned. In them, in \`headers\` and in \`base_url\`

- \`\${VAR}\` stands for an environment variable, which must be set;
- \`\${VAR:-text}\` falls back to a text where the variable is unset or empty;
- \`$\${\` stands for a plain \`\${\`.

A secret that starts with \`file:\` is the content of that file, without its last line break:
\`"file:/run/secrets/key"\`, \`"file:~/key"\`, or a path relative to the config file. Anywhere else \`\${VAR}\` is an
error, not text.
`;

const POOL_NOTE = `A pool that needs nothing but its members may be a list or a single text:
\`main = ["openai:gpt-5.4", "nim:qwen3-30b"]\` below \`[pools]\`.
`;

/** The text of docs/configuration.md. */
function configurationDoc(): string {
  return [INTRO, ...describedSections().map((section) => sectionDoc(section))].join("\n");
}

function sectionDoc({ name, description }: { name: string; description: string }): string {
  const keys = configKeys().filter(({ path }) => path[0] === name);
  const named = keys.some(({ path }) => path[1] === "*" && path.length === 3);
  const title = named ? `## \`[${name}.NAME]\`` : `## \`[${name}]\``;
  const note = name === "pools" ? `\n${POOL_NOTE}` : "";
  const free = keys.some(({ path }) => path.length === 2 && path[1] === "*");
  return `${title}\n\n${description}\n${note}\n${free ? freeTable(name) : keyTable(keys)}`;
}

/** A section whose keys the file chooses: an example says more than a table. */
function freeTable(name: string): string {
  const [, schema] = Object.entries(Config.properties).find(([key]) => key === name) ?? [];
  const example: unknown = schema?.examples?.[0];
  const lines = isTable(example) ? Object.entries(example) : [];
  const entries = lines.map(([key, value]) => `${JSON.stringify(key)} = ${tomlValue(value)}`);
  return `\`\`\`toml\n[${name}]\n${entries.join("\n")}\n\`\`\`\n\nThese cannot be set by variable.\n`;
}

function keyTable(keys: readonly ConfigKey[]): string {
  const head = "| key | type | default | environment | meaning |\n|---|---|---|---|---|\n";
  return `${head}${keys.map((key) => keyRow(key)).join("\n")}\n`;
}

function keyRow(key: ConfigKey): string {
  const marks = [
    key.required ? "*required*" : "",
    key.secret ? "*secret*" : "",
    key.writable ? "*writable*" : "",
  ].filter((mark) => mark !== "");
  const cells = [
    `\`${key.key}\``,
    typeWord(key.schema),
    key.default === undefined ? "" : `\`${tomlValue(key.default)}\``,
    `\`${variableName(key.path)}\``,
    [key.description, ...marks].join(" "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function typeWord(schema: TSchema): string {
  const hint: unknown = schema["format_hint"];
  if (typeof hint === "string") return hint;
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((choice) => `\`"${choice}"\``).join(" ");
  if (KindGuard.IsInteger(schema)) return `integer, ${schema.minimum} to ${schema.maximum}`;
  if (KindGuard.IsNumber(schema)) return `number, ${schema.minimum} to ${schema.maximum}`;
  if (KindGuard.IsArray(schema)) return "list of texts";
  if (KindGuard.IsBoolean(schema)) return "true or false";
  return recordEntry(schema) === undefined ? "text" : "table of texts";
}

/** The text of docs/veriroute.schema.json, in the JSON Schema draft that TOML editors read. */
function editorSchema(): string {
  const root = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "veriroute.toml",
    ...forEditor(Config),
  };
  return `${JSON.stringify(root, null, 2)}\n`;
}

/** A schema as JSON Schema: nothing with a default is required, and our own keywords stay out. */
function forEditor(schema: TSchema): Record<string, unknown> {
  const { description, default: fallback, examples } = schema;
  const common = { description, default: fallback, examples };
  if (KindGuard.IsObject(schema)) {
    const properties = Object.entries(schema.properties);
    const required = properties.filter(([, value]) => isRequired(value)).map(([key]) => key);
    return {
      type: "object",
      ...(description !== undefined && { description }),
      properties: Object.fromEntries(properties.map(([key, value]) => [key, forEditor(value)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }
  const entry = recordEntry(schema);
  if (entry !== undefined) {
    const [pattern] = Object.keys(schema["patternProperties"]);
    const value = schema === Config.properties.pools ? poolForms(entry) : forEditor(entry);
    const names = pattern === "^(.*)$" ? {} : { propertyNames: { pattern } };
    return { type: "object", ...common, ...names, additionalProperties: value };
  }
  if (KindGuard.IsArray(schema))
    return { type: "array", ...common, items: forEditor(schema.items) };
  const choices = choicesOf(schema);
  if (choices.length > 0) return { ...common, enum: choices };
  if (KindGuard.IsUnion(schema)) {
    return { ...common, anyOf: schema.anyOf.map((one) => forEditor(one)) };
  }
  const { type, pattern, minLength, minimum, maximum } = schema;
  return { type, ...common, pattern, minLength, minimum, maximum };
}

function isRequired(schema: TSchema): boolean {
  const defaulted = schema.default !== undefined || KindGuard.IsObject(schema);
  return !defaulted && !(OptionalKind in schema);
}

/** A pool may be written as a table, a list or a single text. */
function poolForms(pool: TSchema): Record<string, unknown> {
  const targets = { type: "array", items: { type: "string" }, minItems: 1 };
  return { anyOf: [forEditor(pool), targets, { type: "string" }] };
}

/** Text as the repository's formatter leaves it, so that the gate and the generator agree. */
function formatted(path: string, text: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [process.execPath, "fmt", "--no-script", "--stdin-filepath", path],
    { stdin: new TextEncoder().encode(text) },
  );
  if (exitCode !== 0) throw new Error(`${path}: ${stderr.toString()}`);
  return stdout.toString();
}

/** The generated files, by path. */
export function generatedDocs(): Readonly<Record<string, string>> {
  const texts = {
    "docs/configuration.md": configurationDoc(),
    "docs/veriroute.schema.json": editorSchema(),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, formatted(path, text)]),
  );
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedDocs())) await Bun.write(path, text);
}
