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

const MORE =
  "there are blanks, line breaks or characters inside it that no token has; set it to the token alone";

/** Which hub is asked, and with which token: the one that a machine is given, too. */
export function hubAccess({ env, hf_token, fetch, version }: HubAccessRequest): HubAccess {
  const endpoint = (env["HF_ENDPOINT"] || HUB).replace(/\/+$/, "");
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    return { ok: false, problem: `\`HF_ENDPOINT\` is no http or https URL; unset it for ${HUB}` };
  }
  // A file that ends with a line break is how tokens are mostly kept.
  const token = (hf_token ?? env["HF_TOKEN"] ?? "").trim() || null;
  if (token !== null && !/^[\u0021-\u007E]+$/.test(token)) {
    const where = hf_token === null ? "`HF_TOKEN`" : "`runtimes.hf_token`";
    return { ok: false, problem: `${where} holds more than a token: ${MORE}` };
  }
  const user_agent = `veriroute/${version}`;
  return { ok: true, hub: { fetch, endpoint, token, user_agent, timeout_ms: TIMEOUT_MS } };
}
