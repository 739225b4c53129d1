import type { Problem, Step } from "./step.ts";

const POLL_MS = 10_000;
/** Of the log that says why it did not come. */
const TAIL_LINES = 5;
/** Listings in a row that lack the machine; one may lag behind. */
const LOOKS_TO_MISS = 3;

export interface Awaited {
  /** This start's own text. */
  readonly id: string;
  readonly limit_ms: number;
  /** What is said where it failed: "the server did not come". */
  readonly failed: string;
  /** What is said where it took too long. */
  readonly late: string;
}

/** Waits until what was started on the machine says that it is ready; tells how far it is. */
export async function untilReady(
  step: Step,
  { id, limit_ms, failed, late }: Awaited,
): Promise<Problem | null> {
  const { machine, clock, pause, change } = step;
  const until = clock.elapsed() + limit_ms;
  let told = "";
  let misses = 0;
  while (clock.elapsed() < until) {
    await pause(POLL_MS);
    step.lease();
    const report = await machine.poll(id);
    if (report.kind === "ready") return null;
    if (report.kind === "dead") {
      const tail = report.tail.filter((line) => line.trim() !== "").slice(-TAIL_LINES);
      return { message: [`${failed}: ${report.detail}`, ...tail].join("\n") };
    }
    misses = report.kind === "failed" && (await isMissing(step)) ? misses + 1 : 0;
    if (misses >= LOOKS_TO_MISS) return { message: `${failed}: its machine is gone` };
    if (report.kind === "pending" && report.phase !== told) {
      told = report.phase;
      await change({ event: told });
    }
  }
  return { message: late };
}

/** Renews the access to the machine, which may be why it was not reached. */
async function isMissing({ driver, lease }: Step): Promise<boolean> {
  const { name, endpoint } = lease();
  if (endpoint === null) return false;
  const report = await driver.refresh(name, endpoint);
  return report.kind === "missing";
}
