import {
  deepinfra,
  deepseek,
  lesser,
  moonshot,
  neuralwatt,
  NOT_USD,
  novita,
  openrouterCredits,
  openrouterKey,
  poe,
  type ReadBalance,
  type Reading,
  siliconflow,
  venice,
  vercel,
} from "./balance-readings.ts";
import { getJson, type JsonRequest } from "./get-json.ts";
import type { Instance } from "./instance.ts";

const MAX_BYTES = 256 * 1024;

/** One GET that tells something of the balance. */
interface Call {
  readonly path: string;
  /** `path` starts at the host, not below the base URL. */
  readonly from_host?: true;
  readonly read: ReadBalance;
}

/** By provider type; where there are several calls the smallest figure counts. */
const PROBES: ReadonlyMap<string, readonly Call[]> = new Map([
  // What the key may still spend, and what the account holds; the latter most keys may not ask.
  [
    "openrouter",
    [
      { path: "/key", read: openrouterKey },
      { path: "/credits", read: openrouterCredits },
    ],
  ],
  ["deepseek", [{ path: "/user/balance", from_host: true, read: deepseek }]],
  [
    "deepinfra",
    [{ path: "/payment/checklist?compute_owed=true", from_host: true, read: deepinfra }],
  ],
  ["moonshot", [{ path: "/users/me/balance", read: moonshot }]],
  ["neuralwatt", [{ path: "/quota", read: neuralwatt }]],
  ["novita", [{ path: "/openapi/v1/billing/balance/detail", from_host: true, read: novita }]],
  ["siliconflow", [{ path: "/user/info", read: siliconflow }]],
  ["vercel", [{ path: "/credits", read: vercel }]],
  ["venice", [{ path: "/billing/balance", read: venice }]],
  ["poe", [{ path: "/usage/current_balance", from_host: true, read: poe }]],
]);

/** How many calls asking an instance takes; 0 where its vendor has nothing to ask. */
export function probeCalls({ type }: Instance): number {
  return PROBES.get(type.id)?.length ?? 0;
}

/** Asks what is left at an instance. Ends within 20 s, never rejects. */
export async function probeBalance(
  request: Omit<JsonRequest, "path" | "max_bytes">,
): Promise<Reading> {
  const calls = PROBES.get(request.instance.type.id) ?? [];
  let known: Reading = { kind: "unknown", reason: "has nothing to ask for a balance" };
  for (const [index, call] of calls.entries()) {
    const reading = await ask(request, call);
    // A failure of the last call says less than what an earlier one did answer.
    known = index === 0 ? reading : lesser(known, reading);
  }
  return known;
}

async function ask(
  request: Omit<JsonRequest, "path" | "max_bytes">,
  { path, from_host, read }: Call,
): Promise<Reading> {
  const { instance } = request;
  const base_url = from_host ? new URL(instance.base_url).origin : instance.base_url;
  const answer = await getJson({
    ...request,
    instance: { ...instance, base_url },
    path,
    max_bytes: MAX_BYTES,
  });
  if (!answer.ok) return { kind: "unknown", reason: answer.failure };
  return inDollars(read(answer.value), instance);
}

/** Hosts in China count in yuan without saying so. An empty account is empty in any currency. */
function inDollars(reading: Reading, { base_url }: Instance): Reading {
  const isForeign = new URL(base_url).hostname.endsWith(".cn");
  return isForeign && reading.kind === "known" && reading.amount > 0 ? NOT_USD : reading;
}
