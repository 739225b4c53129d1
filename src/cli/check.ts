import { type ConfigProblem, formatProblem } from "../config/problem.ts";
import { type Command, CONFIG_OPTION, EXIT, JSON_OPTION, usageProblem } from "./command.ts";
import { readConfig } from "./setup/read-config.ts";
import { paint } from "./terminal/color.ts";
import type { Shell } from "./terminal/shell.ts";

export const check: Command = {
  name: "check",
  summary: "Read a config file and list every problem; exit code 78 if there is one.",
  forms: ["[FILE] [--json]"],
  maxPositionals: 1,
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async ({ positionals, values, flags }, shell) => {
    const [file = values["config"]] = positionals;
    if (file === "") return usageProblem(check, "the name of the file is empty", shell);
    if (values["config"] !== undefined && positionals.length > 0) {
      return usageProblem(check, "name one file: as FILE or with `--config`", shell);
    }
    const read = readConfig(shell, file);
    if (!read.ok) {
      shell.complain(`veriroute check: ${read.problem}`);
      return EXIT.failed;
    }
    const { result, paths, database_problem } = read;
    const warnings = [...result.warnings, ...(database_problem === null ? [] : [database_problem])];
    const problems = result.ok ? [] : result.problems;
    if (flags.has("json")) {
      const report = {
        ok: result.ok,
        file: paths.config_file,
        problems,
        warnings,
      };
      shell.print(JSON.stringify(report));
      return result.ok ? EXIT.ok : EXIT.config;
    }
    complainAll(problems, "red", shell);
    complainAll(warnings, "yellow", shell);
    if (result.ok) shell.print(`${paths.config_file ?? "no config file, defaults"}: ok`);
    return result.ok ? EXIT.ok : EXIT.config;
  },
};

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
