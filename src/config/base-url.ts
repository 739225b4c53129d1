/** Why a text cannot be an upstream's base URL, without repeating what may be a credential. */
export interface BaseUrlProblem {
  readonly message: string;
  readonly hint?: string;
}

/** Names and addresses beyond the link-local ranges where clouds hand out machine credentials. */
const METADATA_HOSTS = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "[fd00:c1::a9fe:a9fe]",
  "[fd00:42::42]",
  "[fd20:ce::254]",
]);

/** Link-local addresses, and the range in which Amazon puts services of the machine. */
const METADATA_IPV6 = /^\[(?:fe[89ab][0-9a-f]|fd00:ec2):/;

export function baseUrlProblem(text: string): BaseUrlProblem | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const message = url === undefined ? "is no URL" : "must start with `http://` or `https://`";
    return { message, hint: "write it out, as in `http://127.0.0.1:8000/v1`" };
  }
  if (url.username !== "" || url.password !== "") {
    return { message: "holds a user name or password", hint: "put the credential into `api_key`" };
  }
  if (isMetadataHost(url.hostname)) {
    const message = `\`${url.hostname}\` is a link-local or cloud metadata address`;
    return { message, hint: "it is refused, since it hands out the machine's own credentials" };
  }
  return /[?#]/.test(text)
    ? { message: "must end with its path, without `?` or `#`" }
    : endpointProblem(url.pathname);
}

function endpointProblem(path: string): BaseUrlProblem | undefined {
  const [endpoint] = /\/(chat\/completions|completions|embeddings|models)\/?$/.exec(path) ?? [];
  if (endpoint === undefined) return undefined;
  return { message: "names an endpoint, not the API's root", hint: `leave out \`${endpoint}\`` };
}

/**
 * Whether a host, as `URL.hostname` gives it, is link-local or a cloud's metadata service. The URL
 * parser has already brought decimal, octal, hex and percent-encoded spellings into one form.
 */
export function isMetadataHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (METADATA_HOSTS.has(host) || /^169\.254\.\d+\.\d+$/.test(host)) return true;
  if (!host.startsWith("[")) return false;
  const embedded = embeddedIpv4(host);
  return METADATA_IPV6.test(host) || (embedded !== undefined && isMetadataHost(embedded));
}

/** The same of an address as a socket tells it: IPv6 without brackets, perhaps with its zone. */
export function isMetadataAddress(address: string): boolean {
  const host = canonicalHost(address.replace(/%.*$/, ""));
  return host !== undefined && isMetadataHost(host);
}

/** The IPv4 address inside a mapped, compatible, NAT64 or 6to4 address, in dotted form. */
function embeddedIpv4(host: string): string | undefined {
  const groups =
    /^\[::(?:ffff:(?:0:)?)?([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ??
    /^\[64:ff9b:(?:1:.*)?:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ??
    /^\[2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/.exec(host);
  if (groups === null) return undefined;
  const [high, low] = [Number.parseInt(groups[1] ?? "", 16), Number.parseInt(groups[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether only this machine can be reached under the name or address, in any spelling. */
export function isLoopbackHost(host: string): boolean {
  const name = canonicalHost(host);
  if (name === undefined) return false;
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return /^127\.\d+\.\d+\.\d+$/.test(embeddedIpv4(name) ?? name);
}

/** Whether the host is on this site's own network: loopback, private ranges, bare and `.local` names. */
export function isPrivateHost(host: string): boolean {
  const name = canonicalHost(host);
  if (name === undefined) return false;
  const address = embeddedIpv4(name) ?? name;
  if (isLoopbackHost(name) || address === "0.0.0.0" || name === "[::]") return true;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return PRIVATE_IPV4.test(address);
  if (name.startsWith("[")) return /^\[f[cd]/.test(name);
  return !name.includes(".") || /\.(local|lan|internal|home\.arpa)$/.test(name);
}

const PRIVATE_IPV4 =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;

/** As the URL parser writes it: lower case, one spelling per address, IPv6 in brackets, no last dot. */
function canonicalHost(host: string): string | undefined {
  const url = URL.parse(
    `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}/`,
  );
  return url?.port === "" ? url.hostname.replace(/\.$/, "") : undefined;
}
