/** The form requests are built from: host spelled one way, no trailing slash. */
export function normalBaseUrl(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

export interface HostSetting {
  /** `host`, `host:port`, `:port` or a whole URL, as `OLLAMA_HOST` takes them. */
  readonly value: string;
  /** The provider type's own base URL, for the parts `value` leaves out. */
  readonly standard: string;
}

/** A base URL from a host setting; text that cannot be one comes back as it is. */
export function baseUrlFromHost({ value, standard }: HostSetting): string {
  const own = new URL(standard);
  const [, scheme, rest = ""] = /^(?:(https?):\/\/)?(.*)$/i.exec(value.trim()) ?? [];
  const url = URL.parse(`${scheme ?? "http"}://${rest.startsWith(":") ? own.hostname : ""}${rest}`);
  if (url === null) return value;
  // Without a scheme the port defaults to the server's own, with one to the scheme's.
  if (scheme === undefined && !/:\d+(\/|$)/.test(rest)) url.port = own.port;
  // An unspecified address is what a server binds; it is reached on loopback.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  const root = normalBaseUrl(url);
  return root.endsWith(own.pathname) ? root : `${root}${own.pathname}`;
}
