import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../lib/durations.ts";
import type { RateOverrides } from "../../sizing/gpus.ts";

/** What `[runtimes]` says, in numbers. */
export interface RuntimeSettings {
  readonly enabled: boolean;
  readonly max_idle_ms: number;
  readonly max_life_ms: number;
  /** Null: no limit. */
  readonly max_compute_units: number | null;
  readonly on_exit: "detach" | "release";
  /** 0: nothing watches, so nothing may be rented. */
  readonly liveness_ms: number;
  readonly heartbeat_ms: number;
  readonly heartbeat_ttl_ms: number;
  readonly assign_timeout_ms: number;
  readonly ready_timeout_ms: number;
  /** Secret. */
  readonly hf_token: string | null;
  readonly rates: RateOverrides;
  /** Compute units an hour of a machine without GPU; null: no source names a number. */
  readonly cpu_rate: number | null;
  readonly colab: { readonly command: string; readonly auth: "oauth2" | "adc" };
}

export function runtimeSettings({ runtimes }: Pick<Config, "runtimes">): RuntimeSettings {
  const { rates, colab } = runtimes;
  return {
    enabled: runtimes.enabled,
    max_idle_ms: ms(runtimes.max_idle),
    max_life_ms: ms(runtimes.max_life),
    max_compute_units: runtimes.max_compute_units ?? null,
    on_exit: runtimes.on_exit,
    liveness_ms: ms(runtimes.liveness),
    heartbeat_ms: ms(runtimes.heartbeat),
    heartbeat_ttl_ms: ms(runtimes.heartbeat_ttl),
    assign_timeout_ms: ms(runtimes.assign_timeout),
    ready_timeout_ms: ms(runtimes.ready_timeout),
    hf_token: runtimes.hf_token ?? null,
    rates: { T4: rates.T4, L4: rates.L4, A100: rates.A100, G4: rates.G4, H100: rates.H100 },
    cpu_rate: rates.CPU ?? null,
    colab: { command: colab.command, auth: colab.auth },
  };
}

const ms = (text: string) => parseDuration(text) ?? 0;

/** Why nothing may be rented under these settings, with the fix; null if it may. */
export function settingsObstacle({ enabled, liveness_ms }: RuntimeSettings): string | null {
  if (!enabled) {
    return "renting GPUs is switched off; set `enabled = true` under `[runtimes]` in the config";
  }
  if (liveness_ms > 0) return null;
  return "`runtimes.liveness` is 0, so nobody would watch the runtime; set it to a duration such as `60s`";
}
