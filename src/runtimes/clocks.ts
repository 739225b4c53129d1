import { readFileSync } from "node:fs";

import type { Clock } from "../lib/clock.ts";
import type { ClockReading } from "./policy/steady-time.ts";

/** All clocks of this machine at one moment. */
export function clockReader(clock: Clock): () => ClockReading {
  return () => ({ now: clock.now(), elapsed: clock.elapsed(), boottime: boottime() });
}

/** Milliseconds since boot, sleep included; null but on Linux. */
function boottime(): number | null {
  try {
    const seconds = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
    return Number.isFinite(seconds) ? seconds * 1000 : null;
  } catch {
    return null;
  }
}
