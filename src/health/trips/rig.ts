/** A signature that appeared where it had not been seen for a day. */
export interface NovelHit {
  readonly signature: string;
  readonly instance: string;
  /** Host of its base URL: two instances at one host share more than our own decoding. */
  readonly host: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Who is more likely at fault when two unrelated upstreams begin to mangle at once: we are. */
export interface RigWatch {
  readonly hits: readonly NovelHit[];
}

export const NO_RIG_HITS: RigWatch = { hits: [] };

/** Two upstreams that begin within this time are no coincidence. */
const WINDOW_MS = 10 * 60_000;
/** How long the suspicion keeps trips away after the last novel hit. */
const SUSPICION_MS = 30 * 60_000;
const MAX_HITS = 64;

export interface RigSuspicion {
  readonly signature: string;
  /** In the order in which they began. */
  readonly instances: readonly string[];
}

/** The watch after a novel hit; `suspicion` is set by the hit that gives rise to one. */
export function noteNovel(
  { hits }: RigWatch,
  hit: NovelHit,
): { readonly watch: RigWatch; readonly suspicion: RigSuspicion | null } {
  const recent = hits.filter(({ at }) => hit.at - at < SUSPICION_MS);
  const watch = { hits: [...recent, hit].slice(-MAX_HITS) };
  const had = isRigSuspected({ hits: recent }, hit.signature, hit.at);
  if (had || !isRigSuspected(watch, hit.signature, hit.at)) return { watch, suspicion: null };
  const instances = watch.hits
    .filter(({ signature }) => signature === hit.signature)
    .map(({ instance }) => instance);
  return { watch, suspicion: { signature: hit.signature, instances: [...new Set(instances)] } };
}

/** Whether what looks like a fault of providers may be our own. */
export function isRigSuspected({ hits }: RigWatch, signature: string, now: number): boolean {
  const same = hits.filter((hit) => hit.signature === signature && now - hit.at < SUSPICION_MS);
  return same.some((one) =>
    same.some((other) => other.host !== one.host && Math.abs(other.at - one.at) < WINDOW_MS),
  );
}
