import { BlockList, isIP } from "node:net";

/**
 * Whether `NO_PROXY` names a URL: host names with everything below them, addresses, and blocks of
 * addresses such as `10.0.0.0/8`, each with or without a port; `*` is every host. Names are compared as
 * they are written, never resolved, and what is none of these exempts nothing.
 */
export function isExempt(target: URL, list: string): boolean {
  const host = bare(target.hostname);
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const { name, port: only } = parts(entry);
      return (only === null || only === port) && covers(name, host);
    });
}

/** An entry as it is written; colons are a port's only where an IPv6 address has none outside brackets. */
function parts(entry: string): { readonly name: string; readonly port: string | null } {
  const found = /^(\[[^\]]*\](?:\/\d+)?|[^:]*):(\d+)$/.exec(entry);
  return { name: bare(found?.[1] ?? entry), port: found?.[2] ?? null };
}

function covers(name: string, host: string): boolean {
  if (isIP(host) !== 0) return coversAddress(name, host);
  const domain = name.replace(/^\*?\./, "").toLowerCase();
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** Not by their ends: `8.8.8` is no domain above `8.8.8.8`. */
function coversAddress(name: string, host: string): boolean {
  const [address = "", bits, ...rest] = name.split("/");
  const family = isIP(address);
  if (family !== isIP(host) || rest.length > 0) return false;
  const [type, longest] = family === 4 ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  const prefix = bits === undefined ? longest : prefixOf(bits, longest);
  if (prefix === null) return false;
  const block = new BlockList();
  block.addSubnet(address, prefix, type);
  return block.check(host, type);
}

function prefixOf(bits: string, longest: number): number | null {
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= longest ? prefix : null;
}

const bare = (name: string) => name.replaceAll(/[[\]]/g, "").replace(/\.$/, "");
