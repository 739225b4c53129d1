import {
  advanceTime,
  type ClockReading,
  startTime,
  type SteadyTime,
} from "../../../../src/runtimes/policy/steady-time.ts";
import { BOOTTIME, CREATED } from "../../../support/lease.ts";

/** Clocks as a laptop has them: what passes, what is slept through, and what somebody sets. */
export function clocks({ has_boottime = true } = {}) {
  let reading: ClockReading = {
    now: CREATED,
    elapsed: 0,
    boottime: has_boottime ? BOOTTIME : null,
  };
  let time = startTime(reading);
  const move = (wall: number, elapsed: number, boot: number): SteadyTime => {
    const { boottime } = reading;
    reading = {
      now: reading.now + wall,
      elapsed: reading.elapsed + elapsed,
      boottime: boottime === null ? null : boottime + boot,
    };
    time = advanceTime(time, reading);
    return time;
  };
  return {
    time: () => time,
    /** Ordinary time, in ticks of 15 s. */
    pass(ms: number): SteadyTime {
      for (let left = ms; left > 0; left -= 15_000) {
        const step = Math.min(left, 15_000);
        move(step, step, step);
      }
      return time;
    },
    sleep: (ms: number) => move(ms, 0, ms),
    /** Somebody, or NTP, sets the clock; the next reading is a moment later. */
    set: (ms: number) => move(ms + 1, 1, 1),
  };
}
