import type { EndpointKey } from "../endpoints/endpoint.ts";
import type { CanaryMode } from "../rows.ts";
import type { Fleet } from "./state.ts";

/** A suspension that keeps traffic away right now. */
export interface SuspensionInForce {
  readonly endpoint: EndpointKey;
  readonly instance: string;
  readonly model: string;
  /** For `provider.ignore`; null if the target itself is ineligible. */
  readonly host: string | null;
  readonly detail: string;
  /** Epoch ms. */
  readonly until_at: number;
}

/** Only where `enforce` is on: going back to `observe` lets all of them serve, and keeps their clocks. */
export function suspensionsInForce(
  fleet: Fleet,
  mode: CanaryMode,
  now: number,
): readonly SuspensionInForce[] {
  if (mode === "observe") return [];
  return [...fleet.endpoints.values()].flatMap((state) => {
    const { endpoint, instance, model, host, suspended, last_fault } = state;
    if (suspended === null || suspended.until_at <= now) return [];
    const detail = last_fault ?? "failed two rounds in a row";
    return [{ endpoint, instance, model, host, detail, until_at: suspended.until_at }];
  });
}
