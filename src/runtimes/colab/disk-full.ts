import type { CommandResult } from "../command.ts";
import { codeOf } from "../leases/lease-error.ts";
import { outputOf, squeeze } from "./output.ts";

/** How Python and our own runtime say that a disk takes no files. */
const REFUSALS = [
  "No space left on device",
  "Disk quota exceeded",
  "Read-only file system",
  "ENOSPC",
  "EDQUOT",
  "EROFS",
].map(squeeze);

const REFUSING_CODES = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EACCES", "EPERM"]);

/** Whether the file system has thrown this because it takes no files, of whatever name. */
export function takesNoFiles(error: unknown): boolean {
  return REFUSING_CODES.has(codeOf(error));
}

/** Whether the command, or what starts it, could not write to this computer's disk. */
export function isDiskFull(result: CommandResult): boolean {
  // A cell whose own disk is full ends with 0.
  if (result.kind === "exited" && result.code === 0) return false;
  const text = result.kind === "not_started" ? result.reason : outputOf(result).stderr;
  const squeezed = squeeze(text);
  return REFUSALS.some((refusal) => squeezed.includes(refusal));
}
