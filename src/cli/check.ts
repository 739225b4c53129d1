import { type ConfigProblem, formatProblem } from "../config/problem.ts";
import {
  type Command,
  CONFIG_OPTION,
  EXIT,
  JSON_OPTION,
  usageProblem,
  type Words,
} from "./command.ts";
import { type ConfigRead, readConfig } from "./setup/read-config.ts";
import { paint } from "./terminal/color.ts";
import type { Shell } from "./terminal/shell.ts";

export const check: Command = {
  name: "check",
  summary: "Read a config file and list every problem; exit code 78 if there is one.",
  forms: ["[FILE] [--json]"],
  maxPositionals: 1,
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async (words, shell) => {
    const problem = wrongWords(words);
    if (problem !== null) return usageProblem(check, problem, shell);
    const read = readConfig(shell, words.positionals[0] ?? words.values["config"]);
    if (!read.ok) {
      shell.complain(`veriroute check: ${read.problem}`);
      return EXIT.failed;
    }
    const report = reportOf(read);
    if (words.flags.has("json")) shell.print(JSON.stringify(report));
    else print(report, shell);
    return report.ok ? EXIT.ok : EXIT.config;
  },
};

function wrongWords({ positionals: [file], values }: Words): string | null {
  if (file === "") return "the name of the file is empty";
  const isNamedTwice = file !== undefined && values["config"] !== undefined;
  return isNamedTwice ? "name one file: as FILE or with `--config`" : null;
}

/** What `check --json` prints. */
function reportOf({ result, paths, database_problem }: ConfigRead) {
  return {
    ok: result.ok,
    file: paths.config_file,
    problems: result.ok ? [] : result.problems,
    warnings: [...result.warnings, ...(database_problem === null ? [] : [database_problem])],
  };
}

function print({ ok, file, problems, warnings }: ReturnType<typeof reportOf>, shell: Shell): void {
  complainAll(problems, "red", shell);
  complainAll(warnings, "yellow", shell);
  if (ok) shell.print(`${file ?? "no config file, defaults"}: ok`);
}

function complainAll(
  problems: readonly ConfigProblem[],
  color: "red" | "yellow",
  shell: Shell,
): void {
  const word = color === "red" ? "error" : "warning";
  for (const problem of problems) {
    shell.complain(`${paint(shell, color, word)} ${formatProblem(problem)}`);
  }
}
