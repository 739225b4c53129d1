import type { RunningApp } from "../../app.ts";
import type { UpWish } from "../../runtimes/up/wish.ts";
import { EXIT, type Words } from "../command.ts";
import { reExecWithRequestLimit } from "../server/re-exec.ts";
import { catchSignals } from "../server/signals.ts";
import { surviveStrayErrors } from "../server/stray-errors.ts";
import { locate } from "../setup/locate.ts";
import type { Shell } from "../terminal/shell.ts";
import { VERSION } from "../version.ts";
import { follow, type Look, type ShownRuntime } from "./follow.ts";
import { sayUnwatched } from "./unwatched.ts";

/**
 * A router of its own that rents one runtime, serves it and keeps its deadlines; it ends with the runtime,
 * or as `serve` does.
 */
export async function upInForeground(
  wish: UpWish & { readonly name: string },
  words: Words,
  shell: Shell,
): Promise<number> {
  reExecWithRequestLimit(shell.complain);
  const signals = catchSignals(shell);
  const located = locate(shell, words.values["config"]);
  if (!located.ok) return refused([located.problem], EXIT.failed, shell);
  const { createApp } = await import("../../app.ts");
  const started = await createApp({
    paths: located.paths,
    env: shell.env,
    version: VERSION,
    onRuntimeNotice: shell.complain,
  });
  if (!started.ok) {
    const code = refused(started.problems, started.exit_code, shell);
    await sayUnwatched(located.paths.state_dir, shell);
    return code;
  }
  surviveStrayErrors(shell);
  const { app } = started;
  const over = Promise.withResolvers<void>();
  const stopped = signals.untilStopped(app, over.promise);
  let isBroughtUp = false;
  let isStopped = false;
  const look: Look = async () => (isStopped ? null : shown(await app.runtimes.find(wish.name)));
  const live = async () => {
    try {
      isBroughtUp = await rentAndWait({ app, wish, look }, shell);
    } finally {
      over.resolve();
    }
  };
  if (!signals.isStopping()) void live();
  const code = await stopped;
  isStopped = true;
  return code === EXIT.ok && !isBroughtUp ? EXIT.failed : code;
}

interface Renting {
  readonly app: RunningApp;
  readonly wish: UpWish & { readonly name: string };
  readonly look: Look;
}

/** Settles with the end of the runtime; whether it ever served. */
async function rentAndWait({ app, wish, look }: Renting, shell: Shell): Promise<boolean> {
  const { name } = wish;
  const answer = await app.runtimes.up(wish);
  if (!answer.ok) {
    shell.complain(`veriroute runtimes: ${answer.problem}`);
    return false;
  }
  const ready = await follow(look, ({ phase }) => phase === "ready", shell);
  if (ready?.phase !== "ready") {
    const why = ready?.error ?? ready?.last_event?.what ?? "it was released";
    shell.complain(`veriroute runtimes: ${name} could not be brought up: ${why}`);
    return false;
  }
  shell.print(`${name} is ready: ask for ${ready.target ?? name} at ${app.url}`);
  shell.complain("Ctrl-C leaves or releases it, as `runtimes.on_exit` says");
  const end = await follow(look, ({ phase }) => phase === "detached", shell);
  if (end !== null && end.phase !== "detached") shell.complain(`${name} is released`);
  return true;
}

function shown(view: Awaited<ReturnType<RunningApp["runtimes"]["find"]>>): ShownRuntime | null {
  if (view === null) return null;
  const { doubts: _doubts, ...known } = view;
  return known;
}

function refused(problems: readonly string[], code: number, shell: Shell): number {
  for (const problem of problems) shell.complain(`veriroute runtimes: ${problem}`);
  return code;
}
