import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import type { Clock } from "../../lib/clock.ts";
import { type DoctorCheck, fail, ok, warn } from "./check.ts";

/** This program did not exist before; an earlier date is a clock that was never set. */
const FIRST_YEAR = 2026;
const MIB = 1024 ** 2;
const ENOUGH_DISK = 1024 * MIB;
const LEAST_DISK = 64 * MIB;
/** A request holds a socket to the client and one to the upstream. */
const ENOUGH_FILES = 8192;
const LEAST_FILES = 1024;

/** The state directory as it is; nothing is made or changed. */
export function checkStateDirectory(path: string): DoctorCheck {
  const name = "state directory";
  const choose = "choose another with VERIROUTE_STATE_DIR";
  if (!existsSync(path)) {
    const parent = nearestExisting(path);
    return isWritable(parent)
      ? ok(name, `${path} will be made at the first start`)
      : fail(name, `${path} cannot be made: ${parent} is not writable`, choose);
  }
  const stat = statSync(path);
  if (!stat.isDirectory()) return fail(name, `${path} is no directory`, choose);
  if (!isWritable(path)) return fail(name, `${path} is not writable`, choose);
  if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
    return warn(name, `${path} is open to other users (mode ${mode})`, `chmod 700 ${path}`);
  }
  return ok(name, path);
}

export function checkDisk(stateDirectory: string): DoctorCheck {
  const name = "disk";
  const { bavail, bsize } = statfsSync(nearestExisting(stateDirectory));
  const free = bavail * bsize;
  const detail = `${Math.floor(free / MIB)} MiB free for ${stateDirectory}`;
  if (free < LEAST_DISK) return fail(name, detail, "free some space: decisions will be dropped");
  if (free < ENOUGH_DISK) return warn(name, detail, "free some space or lower `store.max_size`");
  return ok(name, detail);
}

export function checkClock(clock: Clock): DoctorCheck {
  const name = "clock";
  const before = clock.elapsed();
  const now = new Date(clock.now());
  if (now.getUTCFullYear() < FIRST_YEAR) {
    return fail(name, `it says ${now.toISOString()}`, "set the clock: certificates look invalid");
  }
  if (clock.elapsed() < before) {
    return fail(name, "the monotonic clock runs backwards", "restart the machine or its host");
  }
  return ok(name, now.toISOString());
}

/** The limit on open files, where the system says it in /proc. */
export function checkOpenFiles(limits = "/proc/self/limits"): DoctorCheck {
  const name = "open files";
  if (!existsSync(limits)) return ok(name, "the limit is not known on this system");
  const [, soft = ""] = /^Max open files\s+(\S+)/m.exec(readFileSync(limits, "utf8")) ?? [];
  const detail = `at most ${soft}`;
  const fix = "`ulimit -n 65536` before the start, or LimitNOFILE=65536 in the unit";
  const limit = soft === "unlimited" ? Infinity : Number(soft);
  if (limit < LEAST_FILES) return fail(name, detail, fix);
  return limit < ENOUGH_FILES ? warn(name, detail, fix) : ok(name, detail);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
