import { TTFT_LIMIT_MS } from "../../../canary/contracts/judge-ttft.ts";
import type { EndpointKey } from "../../../canary/endpoints/endpoint.ts";
import {
  type LiveEvidence,
  type LiveEvidenceIndex,
  NO_EVIDENCE,
} from "../../../canary/rounds/passive.ts";
import type { Sink } from "../../../telemetry/events.ts";

/** What live traffic shows of endpoints. */
export interface Evidence {
  readonly sink: Sink;
  /** Since it was last taken. */
  take(): LiveEvidenceIndex;
}

/** Clients may ask for any name at an instance. */
const MAX_ENDPOINTS = 1000;

export function createEvidence(): Evidence {
  let seen = new Map<EndpointKey, LiveEvidence>();
  return {
    sink: {
      name: "canary",
      record(event) {
        if (event.kind !== "attempt" || !event.stream) return;
        const { target, endpoint, ttft_ms, kind } = event.attempt;
        if (kind !== "ok" || ttft_ms === null) return;
        const key = endpoint ?? target;
        const before = seen.get(key) ?? NO_EVIDENCE;
        if (before === NO_EVIDENCE && seen.size >= MAX_ENDPOINTS) return;
        const which = ttft_ms <= TTFT_LIMIT_MS ? "timely" : "late";
        seen.set(key, { ...before, [which]: before[which] + 1 });
      },
    },
    take() {
      const taken = seen;
      seen = new Map();
      return taken;
    },
  };
}
