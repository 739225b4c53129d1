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

/** Works a value out when it is first asked for. */
export function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}
