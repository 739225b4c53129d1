import type { Decision } from "../../src/routing/decision.ts";
import { until } from "./until.ts";

/** What an operator sees of one target. */
export interface TargetView {
  readonly target: string;
  readonly eligible: boolean;
  readonly in_flight: number;
}

/** A router seen from outside, in this process or another. */
export interface Observer {
  /** The decision of this id, as it is now. */
  readonly decision: (id: string | null) => Promise<Decision>;
  /** The newest decision, once its request is over. */
  readonly lastDecision: () => Promise<Decision>;
  /** Every decision there is, newest first, at most 500. */
  readonly decisions: () => Promise<Decision[]>;
  /** Of all but the built-in simulator's. */
  readonly health: () => Promise<TargetView[]>;
  /** Client requests open now, as the metrics count them. */
  readonly inFlight: () => Promise<number>;
}

export function observe({ url }: { readonly url: string }): Observer {
  const text = async (path: string) => (await fetch(url + path, { proxy: false })).text();
  const list = async (limit: number): Promise<Decision[]> =>
    JSON.parse(await text(`/admin/v1/decisions?limit=${limit}`)).items;
  return {
    decision: async (id) => JSON.parse(await text(`/admin/v1/decisions/${id}`)),
    lastDecision: () =>
      until(async () => {
        const [newest] = await list(1);
        return newest?.outcome === "in_progress" ? undefined : newest;
      }),
    decisions: () => list(500),
    async health() {
      const targets: TargetView[] = JSON.parse(await text("/v1/routing/health")).targets;
      return targets
        .filter(({ target }) => !target.startsWith("sim:"))
        .map(({ target, eligible, in_flight }) => ({ target, eligible, in_flight }));
    },
    inFlight: async () =>
      Number(/^veriroute_requests_in_flight (\d+)$/m.exec(await text("/metrics"))?.[1]),
  };
}

/** The `error` of an OpenAI envelope. */
export async function errorOf(response: Response): Promise<Record<string, unknown>> {
  return JSON.parse(await response.text()).error;
}
