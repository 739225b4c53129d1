import type { Endpoint } from "../endpoints/endpoint.ts";

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Whether an answer came from the host that was asked. A gateway names it by its display name or its
 * tag; one that names nobody may have asked anybody, so that proves nothing.
 */
export function isFromAsked(
  { host, host_name }: Pick<Endpoint, "host" | "host_name">,
  answered_by: string | null,
): boolean {
  if (host === null) return true;
  if (answered_by === null) return false;
  const names = [host, host.split("/")[0] ?? host, ...(host_name === null ? [] : [host_name])];
  return names.map(plain).includes(plain(answered_by));
}
