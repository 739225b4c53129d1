const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;

/** The name in a Host header, in lower case; undefined if it is not exactly one. */
function hostName(header: string): string | undefined {
  const [, name, port = "0"] = AUTHORITY.exec(header.toLowerCase()) ?? [];
  return Number(port) > MAX_PORT ? undefined : name;
}

/** `127.0.0.0/8` in its plain spelling only: `127.1` or `0x7f.0.0.1` is not what a browser sends. */
function isLoopbackV4(name: string): boolean {
  const parts = name.split(".");
  return (
    parts.length === 4 &&
    parts[0] === "127" &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/**
 * Whether a Host header names this router: exactly one loopback name or an entry of
 * `server.allowed_hosts`, with any port, since a tunnel may change it. Anything else may be a
 * rebound DNS name. Two headers arrive as `a, b` and match nothing.
 */
export function isAllowedHost(header: string | null, allowed: readonly string[]): boolean {
  const name = header === null ? undefined : hostName(header);
  if (name === undefined) return false;
  return name === "localhost" || name === "[::1]" || isLoopbackV4(name) || isListed(name, allowed);
}

/** The config may leave out the brackets of an IPv6 address. */
function isListed(name: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const known = entry.toLowerCase();
    return known === name || `[${known}]` === name;
  });
}
