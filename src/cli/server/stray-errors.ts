import { faultOf } from "../../telemetry/fault.ts";
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
  const { error: name, stack } = faultOf(error);
  return `bug: a stray ${[name, ...stack.slice(0, 1)].join(" ")}; please report it`;
}
