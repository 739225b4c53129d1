import { median, quantile } from "../rig/numbers.ts";
import { httpRequest, type Kind, requestBody } from "../rig/payloads.ts";
import type { Quiet } from "../rig/quiet.ts";
import { type Answer, connect } from "../rig/wire-client.ts";
import type { Running } from "./contestants.ts";

/** What a gateway adds to going to the upstream directly, in ms: medians over rounds of the differences. */
export interface Added {
  readonly first_p50_ms: number;
  readonly first_p99_ms: number;
  readonly end_p50_ms: number;
  readonly end_p99_ms: number;
}

export interface LatencyPlan {
  readonly kind: Kind;
  readonly bytes: number;
  /** Requests each way in a round. */
  readonly pairs: number;
  /** Pairs under way at once. */
  readonly at_once: number;
  readonly rounds: number;
}

export interface Field {
  readonly upstream: string;
  readonly gateways: readonly Running[];
  readonly quiet: Quiet;
}

/** Rounds go over all gateways in turn, so that a slow drift of the machine meets them all. */
export async function measureLatency(
  { upstream, gateways, quiet }: Field,
  plan: LatencyPlan,
): Promise<ReadonlyMap<string, Added>> {
  const rounds = new Map<string, Added[]>(gateways.map(({ name }) => [name, []]));
  for (const gateway of gateways)
    await round(upstream, gateway, { ...plan, pairs: plan.pairs / 2 });
  for (let n = 0; n < plan.rounds; n++) {
    for (const gateway of gateways) {
      const added = await quiet.measure(() => round(upstream, gateway, plan));
      rounds.get(gateway.name)?.push(added);
    }
  }
  return new Map(
    [...rounds].map(([name, all]) => [
      name,
      {
        first_p50_ms: median(all.map(({ first_p50_ms }) => first_p50_ms)),
        first_p99_ms: median(all.map(({ first_p99_ms }) => first_p99_ms)),
        end_p50_ms: median(all.map(({ end_p50_ms }) => end_p50_ms)),
        end_p99_ms: median(all.map(({ end_p99_ms }) => end_p99_ms)),
      },
    ]),
  );
}

const first = ({ first_ms }: Answer) => first_ms;
const end = ({ end_ms }: Answer) => end_ms;

/** Each pair goes straight to the upstream, then through the gateway. */
async function round(upstream: string, gateway: Running, plan: LatencyPlan): Promise<Added> {
  const body = requestBody(plan.kind, plan.bytes);
  const plain = httpRequest(body, {});
  const dressed = httpRequest(body, gateway.headers);
  const straight: Answer[] = [];
  const through: Answer[] = [];
  const pair = async (count: number) => {
    const direct = await connect(upstream);
    const routed = await connect(gateway.url);
    for (let n = 0; n < count; n++) {
      straight.push(await direct.ask(plain));
      through.push(good(await routed.ask(dressed), gateway.name));
    }
    direct.close();
    routed.close();
  };
  const each = Math.ceil(plan.pairs / plan.at_once);
  await Promise.all(Array.from({ length: plan.at_once }, () => pair(each)));
  const added = (of: (answer: Answer) => number, share: number) =>
    quantile(through.map(of), share) - quantile(straight.map(of), share);
  return {
    first_p50_ms: added(first, 0.5),
    first_p99_ms: added(first, 0.99),
    end_p50_ms: added(end, 0.5),
    end_p99_ms: added(end, 0.99),
  };
}

export function good(answer: Answer, name: string): Answer {
  if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
  return answer;
}
