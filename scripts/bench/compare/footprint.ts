import { median } from "../rig/numbers.ts";
import { httpRequest, requestBody } from "../rig/payloads.ts";
import { memoryOf } from "../rig/processes.ts";
import type { Quiet } from "../rig/quiet.ts";
import { connect } from "../rig/wire-client.ts";
import { type Contestant, startContestant } from "./contestants.ts";
import { good } from "./latency.ts";

/** Resident memory in MB. */
export interface Memory {
  readonly idle_mb: number;
  readonly loaded_mb: number;
  readonly after_mb: number;
}

export interface MemoryPlan {
  /** How long the load lasts. */
  readonly seconds: number;
  /** How long to wait before the readings at rest. */
  readonly rest_ms: number;
  readonly connections: number;
}

/** From a fresh start: at rest, at the end of the load, and at rest again. */
export async function measureMemory(contestant: Contestant, plan: MemoryPlan): Promise<Memory> {
  const gateway = await startContestant(contestant);
  try {
    await Bun.sleep(plan.rest_ms);
    const idle_mb = memoryOf(gateway.pid);
    const whole = httpRequest(requestBody("whole", 2000), gateway.headers);
    const stream = httpRequest(requestBody("burst", 2000), gateway.headers);
    const end = performance.now() + plan.seconds * 1000;
    const work = async () => {
      const client = await connect(gateway.url);
      for (let n = 0; performance.now() < end; n++) {
        good(await client.ask(n % 2 === 0 ? whole : stream), gateway.name);
      }
      client.close();
    };
    const loaded = Promise.all(Array.from({ length: plan.connections }, work));
    await Promise.race([loaded, Bun.sleep(plan.seconds * 1000 - 50)]);
    const loaded_mb = memoryOf(gateway.pid);
    await loaded;
    await Bun.sleep(plan.rest_ms);
    return { idle_mb, loaded_mb, after_mb: memoryOf(gateway.pid) };
  } finally {
    await gateway.stop();
  }
}

/** Median ms from exec to the first answer that says it serves. */
export async function measureStart(
  contestant: Contestant,
  { rounds, quiet }: { readonly rounds: number; readonly quiet: Quiet },
): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    times.push(
      await quiet.measure(async () => {
        const { ready_ms, stop } = await startContestant(contestant);
        await stop();
        return ready_ms;
      }),
    );
  }
  return median(times);
}
