import { providerType } from "../../catalog/provider-types.ts";
import type { Routing } from "../../config/schema-routing.ts";
import { buildInstance } from "../../upstream/build-instance.ts";
import type { Instance } from "../../upstream/instance.ts";
import type { Lease } from "../lease.ts";

export interface RuntimeInstanceRequest {
  readonly lease: Lease;
  readonly base_url: string;
  readonly key: string | null;
  readonly routing: Routing;
}

/** A runtime as a provider like any other; null for one of which nobody knows what it serves. */
export function runtimeInstance(request: RuntimeInstanceRequest): Instance | null {
  const { lease, base_url, key, routing } = request;
  const { name, served_model, plan } = lease;
  const type = providerType(plan?.recipe ?? "vllm");
  if (served_model === null || type === undefined) return null;
  const section = {
    base_url,
    ...(key === null ? {} : { api_key: key }),
    // It is a machine of Google's: nothing that must stay on this site may go there.
    local: false,
    inline_reasoning: false,
    headers: {},
    models: [served_model],
    default_model: served_model,
  };
  const parts = { name, type, section, source: "runtime", config: { routing }, env: {} } as const;
  const instance = buildInstance(parts);
  return lease.phase === "ready" ? instance : { ...instance, problem: problemOf(lease) };
}

function problemOf({ name, phase }: Lease) {
  const message = `the rented \`${name}\` is ${phase} and does not answer; \`veriroute runtimes status\` says more`;
  return { code: "runtime_degraded", message } as const;
}
