import type { Shell } from "./terminal/shell.ts";

/** What a process can say by its end; 78 is `EX_CONFIG` of sysexits.h. */
export const EXIT = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

export interface Option {
  /** The name of its value in the help text; a flag has none. */
  readonly value?: string;
  readonly short?: string;
  readonly description: string;
}

/** The parsed words after the command's name. */
export interface Words {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
}

/** One subcommand: everything its help, its parsing and its run need. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name, one line per form. */
  readonly forms: readonly string[];
  /** Further paragraphs of the help text. */
  readonly notes?: string;
  /** The first positional where it must be one of these words. */
  readonly actions?: readonly string[];
  readonly maxPositionals: number;
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (words: Words, shell: Shell) => Promise<number>;
}

export const CONFIG_OPTION: Option = {
  value: "FILE",
  short: "c",
  description: "Config file. Default: $VERIROUTE_CONFIG, else ~/.config/veriroute/veriroute.toml.",
};

export const JSON_OPTION: Option = { description: "Print JSON for machines." };

/** For what only the command itself can see is wrong with its words. */
export function usageProblem(command: Pick<Command, "name">, problem: string, shell: Shell) {
  shell.complain(`veriroute ${command.name}: ${problem}`);
  shell.complain(`Usage and options: veriroute ${command.name} --help`);
  return EXIT.usage;
}
