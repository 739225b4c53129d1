import type { Env } from "../../config/paths.ts";
import type { Fetch } from "../../upstream/fetch.ts";
import { HUB, type HubDependencies } from "./hub.ts";

export type HubAccess =
  | { readonly ok: true; readonly hub: HubDependencies }
  | { readonly ok: false; readonly problem: string };

export interface HubAccessRequest {
  readonly env: Env;
  /** `runtimes.hf_token`. */
  readonly hf_token: string | null;
  readonly fetch: Fetch;
  readonly version: string;
}

const TIMEOUT_MS = 10_000;

/** Which hub is asked, and with which token. */
export function hubAccess({ env, hf_token, fetch, version }: HubAccessRequest): HubAccess {
  const endpoint = (env["HF_ENDPOINT"] || HUB).replace(/\/+$/, "");
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    return { ok: false, problem: `\`HF_ENDPOINT\` is no http or https URL; unset it for ${HUB}` };
  }
  const token = hf_token ?? (env["HF_TOKEN"] || null);
  const user_agent = `veriroute/${version}`;
  return { ok: true, hub: { fetch, endpoint, token, user_agent, timeout_ms: TIMEOUT_MS } };
}
