import type { Instance } from "../upstream/instance.ts";

type Account = Pick<Instance, "name" | "base_url" | "credential" | "headers">;

/**
 * Names of the instances that reach another account than before: what a vendor said of the old one
 * no longer holds. Headers count, since a credential may be in them.
 */
export function changedAccounts(before: readonly Account[], after: readonly Account[]): string[] {
  const known = new Map(before.map((account) => [account.name.toLowerCase(), account]));
  return after.flatMap((account) => {
    const earlier = known.get(account.name.toLowerCase());
    return earlier === undefined || isSame(earlier, account) ? [] : [account.name];
  });
}

function isSame(a: Account, b: Account): boolean {
  if (a === b) return true;
  return (
    a.base_url === b.base_url &&
    a.credential === b.credential &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers)
  );
}
