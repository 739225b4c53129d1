import { SIGNATURES } from "../signatures/table.ts";

/** A broken encoding seen on one instance. */
export interface EncodingFault {
  readonly signature: string;
  readonly instance: string;
  readonly host: string;
  /** Epoch ms. */
  readonly at: number;
}

const NOVEL_MS = 24 * 60 * 60_000;
const WINDOW_MS = 10 * 60_000;

const ENCODING = new Set(
  SIGNATURES.filter(({ verdict, scope }) => verdict === "mangled" && scope === "provider").map(
    ({ name }) => name,
  ),
);

/** Signatures of a pipe that breaks characters; a broken pipe of our own would show the same. */
export function isEncodingSignature(signature: string): boolean {
  return ENCODING.has(signature);
}

interface Sighting {
  readonly signature: string;
  readonly host: string;
  readonly seen_at: number;
  /** When it was first seen after a day without. */
  readonly novel_at: number;
}

/**
 * Providers do not break the same way at the same time. When one encoding signature is new, within ten
 * minutes, on instances of different hosts, the router suspects itself: no trip, but an alarm. It
 * lasts for as long as more than one host shows the signature. Keeps one entry per signature and instance.
 */
export function createRigGuard() {
  const sightings = new Map<string, Sighting>();
  const suspected = new Set<string>();

  function hostsOf(signature: string, isRecent: (sighting: Sighting) => boolean): number {
    const found = [...sightings.values()].filter(
      (one) => one.signature === signature && isRecent(one),
    );
    return new Set(found.map(({ host }) => host)).size;
  }

  function isSuspected(signature: string, now: number): boolean {
    const since = now - WINDOW_MS;
    const isNew = hostsOf(signature, ({ novel_at }) => novel_at > since) >= 2;
    const isKept =
      suspected.has(signature) && hostsOf(signature, ({ seen_at }) => seen_at > since) >= 2;
    if (isNew || isKept) suspected.add(signature);
    else suspected.delete(signature);
    return isNew || isKept;
  }

  return {
    /** Takes in a fault; returns whether it speaks against the router itself. */
    note({ signature, instance, host, at }: EncodingFault): boolean {
      for (const [key, { seen_at }] of sightings)
        if (at - seen_at > NOVEL_MS) sightings.delete(key);
      const key = JSON.stringify([signature, instance]);
      const novel_at = sightings.get(key)?.novel_at ?? at;
      sightings.set(key, { signature, host, seen_at: at, novel_at });
      return isSuspected(signature, at);
    },
    isSuspected,
  };
}
