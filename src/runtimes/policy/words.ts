import { isBilling, type Lease } from "../lease.ts";

/** Epoch ms as people and logs read it, to the second. */
export function shownInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** `~1.19 CU/h`, or that nobody knows. */
function shownRate({ cu_h }: Lease["rate"]): string {
  return cu_h === null ? "at an unknown rate" : `~${cu_h} CU/h`;
}

/** The one sentence that must never be missing while a machine may cost money. */
export function billingNotice(lease: Pick<Lease, "name" | "sku" | "rate" | "created_at">): string {
  const { name, sku, rate, created_at } = lease;
  return `MAY STILL BE BILLING ${name} ${sku} ${shownRate(rate)} since ${shownInstant(created_at)}`;
}

/** The same of a file that cannot be read. */
export function unreadableNotice(name: string): string {
  return `MAY STILL BE BILLING ${name}: its lease is unreadable; look at Manage sessions in Colab`;
}

/** For whoever reads a lease file when nothing else works. */
export function leaseSummary(lease: Lease): string {
  const { name, sku, phase, created_at, hard_deadline, endpoint, rate } = lease;
  const since = `${sku} since ${shownInstant(created_at)}, now ${phase}`;
  if (!isBilling(phase)) return `${since}; costs nothing`;
  return `${since}, ${shownRate(rate)}, as ${endpoint ?? "an unknown endpoint"}; to be released by ${shownInstant(hard_deadline)}; at once: veriroute runtimes down ${name}`;
}
