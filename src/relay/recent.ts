/** A map that forgets: what was set longest ago when it is full, and anything older than its time. */
export interface Recent<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  size(): number;
}

interface Limits {
  readonly max: number;
  readonly ttl_ms: number;
  /** Epoch ms. */
  readonly now: () => number;
}

export function createRecent<V>({ max, ttl_ms, now }: Limits): Recent<V> {
  const entries = new Map<string, { readonly value: V; readonly set_at: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && now() - entry.set_at < ttl_ms ? entry.value : undefined;
    },
    set(key, value) {
      // Put in anew, so that the order of the map is the order of use.
      entries.delete(key);
      entries.set(key, { value, set_at: now() });
      if (entries.size > max) entries.delete(entries.keys().next().value ?? "");
    },
    size: () => entries.size,
  };
}
