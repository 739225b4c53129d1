import type { CommandResult } from "../command.ts";
import { codeOf } from "../leases/lease-error.ts";
import { squeeze } from "./output.ts";

const REFUSING_CODES = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EACCES", "EPERM"]);

/** Whether the file system has thrown this because it takes no files, of whatever name. */
export function takesNoFiles(error: unknown): boolean {
  return REFUSING_CODES.has(codeOf(error));
}

/** How our own runtime says so. */
const OUR_REFUSAL = /\b(?:ENOSPC|EDQUOT|EROFS)\b/;
/** And Python, in the last error of a text without blanks: 28 is no space, 30 read-only, 122 the quota. */
const PYTHON_REFUSAL = /oserror:\[errno(?:28|30|122)\](?!.*(?:error|exception|timeout):)/;

/** Whether the command, or what starts it, could not write to this computer's disk. */
export function isDiskFull(result: CommandResult): boolean {
  if (result.kind === "not_started") return OUR_REFUSAL.test(result.reason);
  // What a cell says of its own machine's disk is among the rest, and ends with 0.
  const isFailure = result.kind !== "exited" || result.code !== 0;
  return isFailure && PYTHON_REFUSAL.test(squeeze(result.stderr));
}
