import type { RunningApp } from "../../app.ts";
import { EXIT } from "../command.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";

/** By convention a process ended by a signal exits with 128 and its number. */
const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

type StopSignal = keyof typeof EXIT_BY_SIGNAL;

/** The signals of a server, from before its start on: the defaults would end it half started. */
export interface Signals {
  /** A first SIGTERM or SIGINT has come. */
  isStopping(): boolean;
  /**
   * Settles when the first SIGTERM or SIGINT, or `over`, has stopped the app; a second one ends the
   * process, and says so if a rented GPU may still cost money. The answer is the exit code.
   */
  untilStopped(app: RunningApp, over?: Promise<unknown>): Promise<number>;
}

/** What comes before there is an app is done as soon as there is one. */
export function catchSignals(shell: Shell): Signals {
  const asked = Promise.withResolvers<StopSignal>();
  let running: RunningApp | undefined;
  let isStopping = false;
  let isReloadDue = false;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const billing = running?.runtimes.billing() ?? [];
      if (isStopping) process.exit(sayBilling(billing, shell) ?? EXIT_BY_SIGNAL[name]);
      isStopping = true;
      if (!running) shell.complain(`${name}: stops once it has started; again to stop at once`);
      asked.resolve(name);
    });
  }
  process.on("SIGHUP", () => {
    if (!running) isReloadDue = true;
    else if (!isStopping) void reload(running, shell);
  });
  return {
    isStopping: () => isStopping,
    async untilStopped(app, over) {
      running = app;
      if (isReloadDue && !isStopping) void reload(app, shell);
      const ends = over === undefined ? [] : [over.then(() => null)];
      const signal = await Promise.race([asked.promise, ...ends]);
      isStopping = true;
      return stop(app, signal, shell);
    },
  };
}

async function stop(app: RunningApp, signal: StopSignal | null, shell: Shell): Promise<number> {
  if (signal !== null)
    shell.complain(`${signal}: letting open requests end; again to stop at once`);
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
