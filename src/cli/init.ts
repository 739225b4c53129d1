import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, resolve } from "node:path";

import { defaultConfigPath } from "../config/paths.ts";
import { type Command, CONFIG_OPTION, EXIT, usageProblem, type Words } from "./command.ts";
import { isUnitPath, systemdUnit, systemSteps } from "./setup/systemd-unit.ts";
import type { Shell } from "./terminal/shell.ts";

export const init: Command = {
  name: "init",
  summary: "Write a commented config file, or print a systemd unit.",
  forms: ["[--config FILE] [--force]", "--systemd [--user] > veriroute.service"],
  notes: [
    "The file gets mode 0600 and is not overwritten without --force.",
    "The unit runs this binary from where it lies: put it into /usr/local/bin first.",
  ].join("\n"),
  maxPositionals: 0,
  options: {
    config: { ...CONFIG_OPTION, description: "File to write. Default: where `serve` looks." },
    force: { description: "Overwrite an existing file." },
    systemd: { description: "Print a hardened unit for the machine instead." },
    user: { description: "With --systemd: a unit for `systemctl --user`." },
  },
  run: async (words, shell) => {
    const { flags } = words;
    const problem = wrongWords(words);
    if (problem !== null) return usageProblem(init, problem, shell);
    if (flags.has("systemd")) return printUnit(flags.has("user") ? "user" : "system", shell);
    return writeConfig(words, shell);
  },
};

function wrongWords({ values, flags }: Words): string | null {
  if (!flags.has("systemd")) return flags.has("user") ? "`--user` goes with `--systemd`" : null;
  if (values["config"] !== undefined) return "`--systemd` writes no config: leave `--config` out";
  return flags.has("force") ? "`--systemd` writes no file: leave `--force` out" : null;
}

async function writeConfig({ values, flags }: Words, shell: Shell): Promise<number> {
  const path = configPath(values["config"], shell);
  if (path === null) {
    return usageProblem(init, "no home directory is known: name the file with `--config`", shell);
  }
  const { configTemplate } = await import("../config/template.ts");
  const problem = writeFile(path, configTemplate(), flags.has("force"));
  if (problem !== null) {
    shell.complain(`veriroute init: ${problem}`);
    return EXIT.failed;
  }
  shell.print(`wrote ${path}`);
  const option = values["config"] === undefined ? "" : ` --config ${values["config"]}`;
  shell.print(`next: edit it, then \`veriroute check ${path}\` and \`veriroute serve${option}\``);
  return EXIT.ok;
}

function configPath(named: string | undefined, { env, cwd }: Shell): string | null {
  const wanted = named ?? env["VERIROUTE_CONFIG"];
  return wanted === undefined || wanted === "" ? defaultConfigPath(env) : resolve(cwd, wanted);
}

/** The problem, if there is one. An existing file is replaced whole or not at all. */
function writeFile(path: string, text: string, force: boolean): string | null {
  const draft = force ? `${path}.new` : path;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (existsSync(path) && !force) return `${path} exists; overwrite it with --force`;
    if (force) rmSync(draft, { force: true });
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
    if (force) renameSync(draft, path);
    return null;
  } catch (error) {
    return `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function printUnit(scope: "system" | "user", shell: Shell): number {
  const binary = process.execPath;
  if (!isUnitPath(binary)) {
    shell.complain(`veriroute init: systemd does not accept the path ${binary}; move the binary`);
    return EXIT.failed;
  }
  shell.print(systemdUnit(scope, binary));
  if (scope === "user") return EXIT.ok;
  shell.complain(
    isHidden(binary)
      ? `note: the unit runs as a user of its own, which cannot see ${binary}: install the binary ` +
          "with `install -m 755 veriroute /usr/local/bin/` and print the unit with that one"
      : systemSteps(binary),
  );
  return EXIT.ok;
}

/** Homes and temporary directories are out of reach of the unit's sandbox. */
function isHidden(path: string): boolean {
  return ["/home", "/root", homedir(), tmpdir(), "/var/tmp"].some((folder) =>
    path.startsWith(`${folder}/`),
  );
}
