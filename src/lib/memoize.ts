/** Works a value out once per key object, for as long as that object lives. */
export function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = made.get(key);
    if (known) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** Works a value out once per name, for as long as the returned function lives. */
export function memoizeByName<V>(make: (name: string) => V): (name: string) => V {
  const made = new Map<string, V>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    made.set(name, value);
    return value;
  };
}

/** The same for names that strangers make up: of more than `max` the oldest is forgotten. */
export function memoizeRecent<V>(make: (name: string) => V, max: number): (name: string) => V {
  const made = new Map<string, V>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    made.set(name, value);
    const [oldest] = made.keys();
    if (made.size > max && oldest !== undefined) made.delete(oldest);
    return value;
  };
}

/** Works a value out when it is first asked for. */
export function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}
