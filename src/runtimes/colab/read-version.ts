import { plainLines } from "./output.ts";

/** The first with the texts and the token renewal that this driver relies on. */
export const OLDEST_VERSION = "0.7.4";

/** What `colab version` says; null if another program answered. */
export function readVersion(stdout: string): string | null {
  for (const line of plainLines(stdout)) {
    const version = /^Version: v?(\d+\.\d+(?:\.\d+)?\S*)$/.exec(line)?.[1];
    if (version !== undefined) return version;
  }
  return null;
}

export function isTooOld(version: string): boolean {
  const have = partsOf(version);
  const want = partsOf(OLDEST_VERSION);
  for (const [index, least] of want.entries()) {
    const part = have[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

function partsOf(version: string): number[] {
  return (/^[\d.]+/.exec(version)?.[0] ?? "").split(".").map(Number);
}
