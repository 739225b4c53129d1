import type { RunningApp } from "../../app.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";

/** By convention a process ended by a signal exits with 128 and its number. */
const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

type StopSignal = keyof typeof EXIT_BY_SIGNAL;

/** Settles when the first SIGTERM or SIGINT has stopped the app; a second one ends the process. */
export async function untilStopped(app: RunningApp, shell: Shell): Promise<void> {
  const asked = Promise.withResolvers<StopSignal>();
  let stopping = false;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (stopping) process.exit(EXIT_BY_SIGNAL[name]);
      stopping = true;
      asked.resolve(name);
    });
  }
  process.on("SIGHUP", () => {
    if (!stopping) void reload(app, shell);
  });
  const signal = await asked.promise;
  shell.complain(`${signal}: letting open requests end; again to stop at once`);
  await app.stop();
}

async function reload(app: RunningApp, shell: Shell): Promise<void> {
  const result = await app.reload();
  if (result.ok) {
    shell.complain(["config read again", ...result.notes].join("\n  "));
    return;
  }
  shell.complain(paint(shell, "red", "config not taken over, the running one stays:"));
  for (const problem of result.problems) shell.complain(`  ${problem}`);
}
