import type { RunningApp } from "../../app.ts";
import { EXIT } from "../command.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";

/** By convention a process ended by a signal exits with 128 and its number. */
const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

type StopSignal = keyof typeof EXIT_BY_SIGNAL;

/**
 * Settles when the first SIGTERM or SIGINT, or `over`, has stopped the app; a second one ends the
 * process, and says so if a rented GPU may still cost money. The answer is the exit code.
 */
export async function untilStopped(
  app: RunningApp,
  shell: Shell,
  over?: Promise<unknown>,
): Promise<number> {
  const asked = Promise.withResolvers<StopSignal>();
  let stopping = false;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (stopping) process.exit(sayBilling(app.runtimes.billing(), shell) ?? EXIT_BY_SIGNAL[name]);
      stopping = true;
      asked.resolve(name);
    });
  }
  process.on("SIGHUP", () => {
    if (!stopping) void reload(app, shell);
  });
  const signal = await Promise.race([asked.promise, ...(over === undefined ? [] : [over])]);
  stopping = true;
  if (typeof signal === "string") {
    shell.complain(`${signal}: letting open requests end; again to stop at once`);
  }
  const rented = app.runtimes.billing().length;
  if (rented > 0) shell.complain(RELEASING);
  const { billing } = await app.stop();
  return sayBilling(billing, shell) ?? EXIT.ok;
}

const RELEASING =
  "rented GPUs are left to their watchdogs or released, as `runtimes.on_exit` says; this may take 3 minutes";

/** Says what may still cost money; null if nothing does. */
function sayBilling(notices: readonly string[], shell: Shell): number | null {
  for (const notice of notices) shell.complain(paint(shell, "red", notice));
  return notices.length === 0 ? null : EXIT.failed;
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
