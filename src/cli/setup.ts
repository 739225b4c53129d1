import { likelyName } from "../lib/nearest.ts";
import { type Command, EXIT, usageProblem, type Words } from "./command.ts";
import { codex } from "./harness/codex.ts";
import { type Changed, type Harness, type HarnessFile, KEY_VARIABLE } from "./harness/harness.ts";
import { opencode } from "./harness/opencode.ts";
import { askRouter, type RouterFacts } from "./harness/router-facts.ts";
import { SNIPPETS } from "./harness/snippets.ts";
import { firstText, readText, replaceText } from "./harness/write-file.ts";
import { isServerUrl, SERVER_OPTIONS } from "./server/server-call.ts";
import type { Shell } from "./terminal/shell.ts";

const HARNESSES: readonly Harness[] = [opencode, codex, ...SNIPPETS];
const NAMES = HARNESSES.map(({ id }) => id);

export const setup: Command = {
  name: "setup",
  summary: "Point a client at the router: print its settings, or write them.",
  forms: ["CLIENT [--model M] [--url URL] [--write | --undo] [--dry-run]"],
  notes: [
    `Clients: ${NAMES.join(", ")}.`,
    "Files are written for opencode and codex only; what stood there is kept beside it. `--undo`",
    `takes out what \`--write\` put in. The router's key is never written: clients read $${KEY_VARIABLE}.`,
  ].join("\n"),
  maxPositionals: 1,
  options: {
    model: { value: "M", description: "Model to ask for. Default: `auto`." },
    ...SERVER_OPTIONS,
    write: { description: "Write the client's config file." },
    undo: { description: "Take it out of the file again." },
    "dry-run": { description: "Show the file as it would be; change nothing." },
  },
  run: async (words, shell) => {
    const asked = read(words);
    if (typeof asked === "string") return usageProblem(setup, asked, shell);
    const { harness, file } = asked;
    if (words.flags.has("undo") && file !== null) return undo(harness, file, { words, shell });
    const facts = await factsOf(words.values["url"], shell);
    if (facts === null) return EXIT.failed;
    const model = words.values["model"] ?? "auto";
    if (words.flags.has("write") && file !== null) {
      return write(harness, file, { words, shell, facts, model });
    }
    shell.print(harness.snippet(facts, model));
    shell.complain(`\nthen: ${harness.start(model)}`);
    return EXIT.ok;
  },
};

interface Asked {
  readonly harness: Harness;
  /** The file to change; null where nothing is to be written. */
  readonly file: HarnessFile | null;
}

/** What the words ask for, or what is wrong with them. */
function read({ positionals: [name], values, flags }: Words): Asked | string {
  const harness = find(name);
  if (typeof harness === "string") return harness;
  if (!isServerUrl(values["url"])) return `\`${values["url"]}\` is no http or https URL`;
  const isChange = flags.has("write") || flags.has("undo");
  if (flags.has("write") && flags.has("undo")) return "`--write` and `--undo` exclude each other";
  if (flags.has("dry-run") && !isChange) return "`--dry-run` goes with `--write` or `--undo`";
  if (!isChange) return { harness, file: null };
  const { file, title, id } = harness;
  if (file !== null) return { harness, file };
  return `${title} has no file to write: set what \`veriroute setup ${id}\` prints`;
}

function find(name: string | undefined): Harness | string {
  const known = NAMES.join(", ");
  if (name === undefined) return `name a client: ${known}`;
  const harness = HARNESSES.find(({ id }) => id === name);
  if (harness !== undefined) return harness;
  const near = likelyName(name, NAMES);
  return `no client \`${name}\`: ${near === undefined ? `one of ${known}` : `did you mean \`${near}\`?`}`;
}

async function factsOf(url: string | undefined, shell: Shell): Promise<RouterFacts | null> {
  const answer = await askRouter(url, shell);
  if (answer.ok) return answer.facts;
  shell.complain(`veriroute setup: ${answer.problem}`);
  return null;
}

interface Writing {
  readonly words: Words;
  readonly shell: Shell;
}

function write(
  harness: Harness,
  file: HarnessFile,
  { words, shell, facts, model }: Writing & { readonly facts: RouterFacts; readonly model: string },
): number {
  const code = change(file, { words, shell }, (before) => file.add(before, facts, model));
  if (code !== EXIT.ok || words.flags.has("dry-run")) return code;
  if (facts.needs_key) shell.complain(`set ${KEY_VARIABLE} to a client key of the router`);
  shell.complain(`then: ${harness.start(model)}`);
  return code;
}

function undo({ id }: Harness, file: HarnessFile, writing: Writing): number {
  return change(file, writing, (before, path) =>
    before === null
      ? { ok: false, problem: `is not there: \`veriroute setup ${id} --write\` has not been run` }
      : file.remove(before, firstText(path)),
  );
}

function change(
  file: HarnessFile,
  { words, shell }: Writing,
  edit: (before: string | null, path: string) => Changed,
): number {
  const path = file.path(shell.env);
  if (path === null) return failed(shell, "no home directory is known: set HOME");
  try {
    const changed = edit(readText(path), path);
    if (!changed.ok) return failed(shell, `${path} ${changed.problem}`);
    if (words.flags.has("dry-run")) {
      shell.print(changed.after ?? `${path} would be deleted`);
      return EXIT.ok;
    }
    const backup = replaceText(path, changed.after, words.flags.has("undo") ? "undo" : "write");
    const kept = backup === null ? "" : `; what stood there first is in ${backup}`;
    shell.print(`${changed.after === null ? "deleted" : "wrote"} ${path}${kept}`);
    return EXIT.ok;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(shell, `${path} cannot be changed: ${reason}`);
  }
}

function failed(shell: Shell, problem: string): number {
  shell.complain(`veriroute setup: ${problem}`);
  return EXIT.failed;
}
