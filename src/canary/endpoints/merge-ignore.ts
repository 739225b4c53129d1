/**
 * `provider.ignore` of a request to a gateway: the caller's own hosts, and those that are excluded or
 * suspended, sorted, each once; undefined where that adds nothing to what the caller wrote.
 */
export function mergeIgnore(
  own: readonly string[],
  hosts: readonly string[],
): readonly string[] | undefined {
  const added = hosts.filter((host) => !own.includes(host));
  return added.length === 0 ? undefined : [...new Set([...own, ...added])].toSorted();
}
