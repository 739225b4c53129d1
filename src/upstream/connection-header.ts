/**
 * Names of the headers that a `Connection` header declares to be for one hop only, lower case.
 * They end here in both directions, whatever lists allow them.
 */
export function hopHeaders(headers: Headers): ReadonlySet<string> {
  const names = (headers.get("connection") ?? "").split(",").map((n) => n.trim().toLowerCase());
  return new Set([...names, "connection"]);
}

/** No control characters but tab, nothing outside Latin-1: what may stand in a header value. */
export const isHeaderValue = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
