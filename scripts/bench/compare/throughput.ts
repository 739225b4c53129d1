import { median } from "../rig/numbers.ts";
import { DELTAS, httpRequest, requestBody } from "../rig/payloads.ts";
import { connect } from "../rig/wire-client.ts";
import { type Field, good } from "./latency.ts";
import type { Wrk } from "./wrk.ts";

/** A place that requests are sent to: a gateway, or the upstream itself. */
interface Goal {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The upstream without a gateway, which must be faster than all of them by far. */
export const DIRECT = "direct";

export interface ThroughputPlan {
  readonly connections: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Whole answers a second, medians over rounds. */
export function measureWhole(
  field: Field,
  plan: ThroughputPlan,
  wrk: Wrk,
): Promise<ReadonlyMap<string, number>> {
  const body = requestBody("whole", plan.bytes);
  return inRounds(field, plan, async ({ url, headers }) => {
    const { connections, seconds } = plan;
    const { per_second } = await wrk.run({ url, headers, body, connections, seconds });
    return per_second;
  });
}

/** Deltas a second of streams that come as fast as they can, medians over rounds. */
export function measureDeltas(
  field: Field,
  plan: ThroughputPlan,
): Promise<ReadonlyMap<string, number>> {
  const body = requestBody("burst", plan.bytes);
  return inRounds(field, plan, async ({ name, url, headers }) => {
    const request = httpRequest(body, headers);
    const began = performance.now();
    const end = began + plan.seconds * 1000;
    let streams = 0;
    const work = async () => {
      const client = await connect(url);
      while (performance.now() < end) {
        good(await client.ask(request), name);
        streams++;
      }
      client.close();
    };
    await Promise.all(Array.from({ length: plan.connections }, work));
    return (streams * DELTAS * 1000) / (performance.now() - began);
  });
}

async function inRounds(
  { upstream, gateways, quiet }: Field,
  { rounds }: ThroughputPlan,
  measure: (goal: Goal) => Promise<number>,
): Promise<ReadonlyMap<string, number>> {
  const goals: Goal[] = [{ name: DIRECT, url: upstream, headers: {} }, ...gateways];
  const found = new Map<string, number[]>(goals.map(({ name }) => [name, []]));
  for (const goal of goals) await measure(goal);
  for (let n = 0; n < rounds; n++) {
    for (const goal of goals) {
      found.get(goal.name)?.push(await quiet.measure(() => measure(goal)));
    }
  }
  return new Map([...found].map(([name, all]) => [name, median(all)]));
}
