import type { SignatureTally } from "./tally.ts";

type Origins = SignatureTally["origins"];

/** For so long a client that repeats a prompt says nothing new. */
const DEAF_MS = 10 * 60_000;
const MAX_ORIGINS = 128;

/** Whether this client has had a bad answer to this prompt a moment ago. */
export function knowsOrigin(origins: Origins, hash: string | null, now: number): boolean {
  return hash !== null && origins.some((one) => one.hash === hash && now - one.at < DEAF_MS);
}

/** The newest are kept; those that came before are worth a second hearing. */
export function withOrigin(origins: Origins, hash: string | null, now: number): Origins {
  if (hash === null) return origins;
  const recent = origins.filter(({ at }) => now - at < DEAF_MS);
  return [...recent, { hash, at: now }].slice(-MAX_ORIGINS);
}
