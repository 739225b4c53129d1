import type { Lease } from "../lease.ts";
import type { LeaseFile } from "./read-lease.ts";

/** All leases but that of `name`; null if one of them, or the directory, cannot be read. */
export async function otherLeases(
  leases: { readonly list: () => Promise<readonly LeaseFile[]> },
  name: string,
): Promise<readonly Lease[] | null> {
  try {
    const files = await leases.list();
    const others = files.filter((file) => file.name !== name);
    const readable = others.flatMap((file) => (file.kind === "lease" ? [file.lease] : []));
    return readable.length < others.length ? null : readable;
  } catch {
    return null;
  }
}
