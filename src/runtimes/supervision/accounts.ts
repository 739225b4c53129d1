import type { Lease } from "../lease.ts";
import type { Listing } from "../listing.ts";
import { isOfAccount, OTHER_ACCOUNT } from "../policy/absence.ts";
import { billingNotice } from "../policy/words.ts";

/** Says once of a lease that the listings are of another account, and anew after they were of its own. */
export function createAccountNotices(
  notify: (text: string) => void,
): (lease: Lease, listing: Listing) => void {
  const said = new Set<string>();
  return (lease, listing) => {
    // Who could not be told this time may be told the next.
    if (listing.account === undefined) return;
    const { lease_id } = lease;
    if (isOfAccount(lease, listing)) said.delete(lease_id);
    else if (!said.has(lease_id)) {
      said.add(lease_id);
      notify(`${billingNotice(lease)}: ${OTHER_ACCOUNT}`);
    }
  };
}
