import type { Shell } from "../terminal/shell.ts";

/**
 * An error that nobody waited for would end the process, and every open request with it. It is told
 * by class and place, without its message, which may quote a request.
 */
export function surviveStrayErrors(shell: Pick<Shell, "complain">): void {
  const tell = (error: unknown) => shell.complain(describeStray(error));
  process.on("unhandledRejection", tell);
  process.on("uncaughtException", tell);
}

export function describeStray(error: unknown): string {
  if (!(error instanceof Error)) return `bug: a stray ${typeof error}; please report it`;
  const [place = "nowhere"] = /^\s*at .*$/m.exec(error.stack ?? "") ?? [];
  return `bug: a stray ${error.name} ${place.trim()}; please report it`;
}
