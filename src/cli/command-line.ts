import { likelyName } from "../lib/nearest.ts";
import { type Command, EXIT, usageProblem } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { helpOf, overview } from "./parsing/help-text.ts";
import { parseWords } from "./parsing/parse-words.ts";
import type { Shell } from "./terminal/shell.ts";

/** Runs one command line; the answer is the exit code. A bug is reported without a stack trace. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<number> {
  const [first = "serve"] = args;
  if (first === "--help" || first === "-h" || first === "help") return help(args[1], shell);
  // `veriroute --port 9000` is `veriroute serve --port 9000`.
  const bare = args.length === 0 || first.startsWith("-");
  const command = COMMANDS.find(({ name }) => name === (bare ? "serve" : first));
  if (command === undefined) return unknownCommand(first, shell);
  return run(command, bare ? args : args.slice(1), shell);
}

async function run(command: Command, args: readonly string[], shell: Shell): Promise<number> {
  const parsed = parseWords(args, command);
  if (parsed.kind === "problem") return usageProblem(command, parsed.problem, shell);
  if (parsed.kind === "help") {
    shell.print(helpOf(command));
    return EXIT.ok;
  }
  if (parsed.kind === "version") return runCommandLine(["version"], shell);
  try {
    return await command.run(parsed.words, shell);
  } catch (error) {
    shell.complain(`veriroute ${command.name}: ${describe(error)}`);
    return EXIT.failed;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function help(name: string | undefined, shell: Shell): number {
  const command = COMMANDS.find((known) => known.name === name);
  if (name !== undefined && command === undefined) return unknownCommand(name, shell);
  shell.print(command === undefined ? overview(COMMANDS) : helpOf(command));
  return EXIT.ok;
}

function unknownCommand(name: string, shell: Shell): number {
  const nearest = likelyName(
    name,
    COMMANDS.map((command) => command.name),
  );
  const hint = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  shell.complain(`veriroute: unknown command \`${name}\`${hint}`);
  shell.complain("All commands: veriroute --help");
  return EXIT.usage;
}
