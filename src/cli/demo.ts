import { type Command, EXIT, JSON_OPTION } from "./command.ts";
import type { DemoRouter } from "./demo/fleet.ts";
import { createNarrator, createProgress, printReport } from "./demo/narrator.ts";
import { routerState } from "./demo/router-state.ts";
import { runDemo } from "./demo/scenario.ts";
import { startRouter } from "./demo/start.ts";
import { createClient } from "./demo/traffic.ts";
import { reExecWithRequestLimit } from "./server/re-exec.ts";
import type { Shell } from "./terminal/shell.ts";

export const demo: Command = {
  name: "demo",
  summary: "Watch a provider go bad, be benched, explained, and come back; half a minute, offline.",
  forms: ["[--json]"],
  notes: [
    "Starts a router on three simulated providers, in a temporary state directory and on a free port,",
    "and sends it traffic. Touches no config, no credential and no network.",
  ].join("\n"),
  maxPositionals: 0,
  options: { json: JSON_OPTION },
  run: async ({ flags }, shell) => {
    reExecWithRequestLimit(shell.complain);
    const start = await startRouter();
    if (start.ok) return play(start.router, { shell, json: flags.has("json") });
    for (const problem of start.problems) shell.complain(`veriroute demo: ${problem}`);
    return start.exit_code;
  },
};

interface Stage {
  readonly shell: Shell;
  readonly json: boolean;
}

/** By convention a process ended by a signal exits with 128 and its number. */
const EXIT_BY_SIGINT = 130;

/** Whatever happens the router is stopped, so that its temporary directory goes. */
async function play(router: DemoRouter, { shell, json }: Stage): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  try {
    if (!json) shell.print(`A router with three simulated providers listens on ${router.url}.`);
    const report = await runDemo({
      router,
      send: createClient(router.url, interrupt.signal),
      wait: waiting(interrupt.signal),
      ...routerState(router.url, interrupt.signal),
      watcher: json ? createProgress(shell) : createNarrator(router.url, shell),
    });
    if (json) shell.print(JSON.stringify(report));
    else printReport(report, shell);
    return EXIT.ok;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    return EXIT_BY_SIGINT;
  } finally {
    process.off("SIGINT", onInterrupt);
    await router.stop();
  }
}

/** Waits that reject as soon as the demo is interrupted. */
function waiting(signal: AbortSignal): (ms: number) => Promise<void> {
  return (ms) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timer);
        reject(new Error("interrupted"));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    });
}
