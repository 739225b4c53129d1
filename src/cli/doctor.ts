import { type ConfigProblem, formatProblem } from "../config/problem.ts";
import type { Config } from "../config/schema.ts";
import { runtimeSettings } from "../runtimes/policy/settings.ts";
import { type Command, CONFIG_OPTION, EXIT, JSON_OPTION } from "./command.ts";
import { type DoctorCheck, fail, ok, warn } from "./doctor/check.ts";
import { checkClock, checkDisk, checkOpenFiles, checkStateDirectory } from "./doctor/machine.ts";
import { checkPort } from "./doctor/port.ts";
import { checkRuntimes } from "./doctor/runtimes.ts";
import { checkUpstreams } from "./doctor/upstreams.ts";
import { ownServer } from "./server/own-server.ts";
import { type ConfigRead, readConfig } from "./setup/read-config.ts";
import { type Color, paint } from "./terminal/color.ts";
import type { Shell } from "./terminal/shell.ts";
import { table } from "./terminal/table.ts";
import { VERSION } from "./version.ts";

/** A provider that takes longer to list its models is reported as not reached. */
const REACH_TIMEOUT_MS = 5000;

export const doctor: Command = {
  name: "doctor",
  summary: "Look at config, state, port, credentials, providers, clock and disk.",
  forms: ["[--config FILE] [--json]"],
  notes: "Each provider is asked once for its models; no model is called, nothing is changed.",
  maxPositionals: 0,
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async ({ values, flags }, shell) => {
    const read = readConfig(shell, values["config"]);
    const checks = read.ok
      ? await examine(read, shell)
      : [fail("state directory", read.problem, "set HOME or VERIROUTE_STATE_DIR")];
    if (flags.has("json")) shell.print(JSON.stringify({ checks }));
    else print(checks, shell);
    return checks.some(({ status }) => status === "fail") ? EXIT.failed : EXIT.ok;
  },
};

async function examine(
  { paths, result, database_problem }: ConfigRead,
  shell: Shell,
): Promise<DoctorCheck[]> {
  return [
    ...checkConfig(paths.config_file, result),
    checkStateDirectory(paths.state_dir),
    ...(database_problem === null ? [] : [checkDatabase(database_problem)]),
    ...(result.ok ? [checkPort(result.config.server, ownServer(paths))] : []),
    ...(result.ok ? await upstreams(result.config, shell) : []),
    ...(result.ok ? await rented(paths.state_dir, result.config, shell) : []),
    checkClock(shell.clock),
    checkDisk(paths.state_dir),
    checkOpenFiles(),
  ];
}

function checkConfig(file: string | null, result: ConfigRead["result"]): DoctorCheck[] {
  const name = "config";
  const warnings = result.warnings.map((problem) => warn(name, placed(problem), wayOut(problem)));
  if (result.ok) return [ok(name, file ?? "no file, defaults"), ...warnings];
  const problems = result.problems.map((problem) => fail(name, placed(problem), wayOut(problem)));
  return [...problems, ...warnings];
}

function checkDatabase({ message }: ConfigProblem): DoctorCheck {
  return fail("database", message, 'see "Files" in docs/operations.md');
}

const placed = (problem: ConfigProblem) => formatProblem({ ...problem, hint: null });
const wayOut = ({ hint }: ConfigProblem) => hint ?? "see docs/configuration.md";

function rented(state_dir: string, config: Config, shell: Shell) {
  return checkRuntimes({ state_dir, settings: runtimeSettings(config) }, shell);
}

async function upstreams(config: Config, shell: Shell): Promise<DoctorCheck[]> {
  const { createDoctor } = await import("../app.ts");
  const reports = await createDoctor({ config, env: shell.env, version: VERSION }).examine({
    timeout_ms: REACH_TIMEOUT_MS,
  });
  return checkUpstreams(reports);
}

const COLORS = { ok: "green", warn: "yellow", fail: "red" } as const satisfies Record<
  DoctorCheck["status"],
  Color
>;

function print(checks: readonly DoctorCheck[], shell: Shell): void {
  const rows = checks.flatMap(({ name, status, detail, fix }) => [
    [paint(shell, COLORS[status], status.padEnd(4)), name, detail],
    ...(fix === null ? [] : [["", "", `→ ${fix}`]]),
  ]);
  shell.print(table(rows));
  const failed = checks.filter(({ status }) => status === "fail").length;
  shell.print(failed === 0 ? "nothing failed" : `${failed} failed`);
}
