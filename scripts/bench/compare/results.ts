import type { Memory } from "./footprint.ts";
import type { Added } from "./latency.ts";

export type ByName<T> = ReadonlyMap<string, T>;

/** Everything one run found; a section that was left out is absent. */
export interface Results {
  /** Requests a second, by connections and bytes of the request. */
  readonly throughput: readonly {
    readonly connections: number;
    readonly bytes: number;
    readonly per_second: ByName<number>;
  }[];
  readonly latency?: ByName<Added>;
  readonly burst?: ByName<Added>;
  readonly paced?: ByName<Added>;
  /** Deltas a second. */
  readonly deltas?: ByName<number>;
  readonly fidelity?: ByName<{ readonly stream: string; readonly whole: string }>;
  /** Ms from exec to ready. */
  readonly start?: ByName<number>;
  readonly memory?: ByName<Memory>;
}

const plain = (_: string, each: unknown) => (each instanceof Map ? Object.fromEntries(each) : each);

/** As JSON, with maps as objects. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, plain, 2)}\n`;
}
