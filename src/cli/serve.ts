import { type Command, CONFIG_OPTION, EXIT, usageProblem, type Words } from "./command.ts";
import { sayUnwatched } from "./runtimes/unwatched.ts";
import { printBanner } from "./server/banner.ts";
import { reExecWithRequestLimit } from "./server/re-exec.ts";
import { catchSignals } from "./server/signals.ts";
import { surviveStrayErrors } from "./server/stray-errors.ts";
import { locate } from "./setup/locate.ts";
import type { Shell } from "./terminal/shell.ts";
import { VERSION } from "./version.ts";

export const serve: Command = {
  name: "serve",
  summary: "Start the router (also what `veriroute` alone does).",
  forms: ["[--config FILE] [--host HOST] [--port PORT]"],
  notes: [
    "SIGTERM and SIGINT let open requests end (`server.drain`), a second one ends at once; SIGHUP",
    "reads the config again. Everything set in the config is described in docs/configuration.md.",
  ].join("\n"),
  maxPositionals: 0,
  options: {
    config: CONFIG_OPTION,
    host: { value: "HOST", description: "Address to bind; overrides `server.host`." },
    port: { value: "PORT", short: "p", description: "Port to bind; overrides `server.port`." },
  },
  run: async ({ values }, shell) => {
    if (values["port"] !== undefined && !isPort(values["port"])) {
      return usageProblem(serve, `\`${values["port"]}\` is no port: 0 to 65535`, shell);
    }
    reExecWithRequestLimit(shell.complain);
    return start({ ...shell, env: withOverrides(shell.env, values) }, values);
  },
};

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** Flags beat the environment, which beats the file. */
function withOverrides(env: Shell["env"], { host, port }: Words["values"]) {
  return {
    ...env,
    ...(host === undefined ? {} : { VERIROUTE_SERVER_HOST: host }),
    ...(port === undefined ? {} : { VERIROUTE_SERVER_PORT: port }),
  };
}

async function start(shell: Shell, values: Words["values"]): Promise<number> {
  const signals = catchSignals(shell);
  const located = locate(shell, values["config"]);
  if (!located.ok) return refused([located.problem], EXIT.failed, shell);
  const { createApp } = await import("../app.ts");
  const result = await createApp({
    paths: located.paths,
    env: shell.env,
    version: VERSION,
    onRuntimeNotice: shell.complain,
  });
  if (!result.ok) {
    const problems = result.problems.map((problem) => byFlag(problem, values));
    const code = refused(problems, result.exit_code, shell);
    await sayUnwatched(located.paths.state_dir, shell);
    return code;
  }
  surviveStrayErrors(shell);
  const stopped = signals.untilStopped(result.app);
  await printBanner(result.app, located, shell);
  return stopped;
}

/** `--host` is passed on as a variable, which nobody who typed the flag would know. */
function byFlag(problem: string, { host }: Words["values"]): string {
  return host === undefined
    ? problem
    : problem.replace(/^VERIROUTE_SERVER_HOST: server\.host: /, "--host: ");
}

function refused(problems: readonly string[], code: number, shell: Shell): number {
  for (const problem of problems) shell.complain(`veriroute serve: ${problem}`);
  return code;
}
