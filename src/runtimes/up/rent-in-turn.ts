import type { Leases } from "../leases/open-leases.ts";

/** The lock of whoever rents a machine; no runtime can have its name. */
const RENTING = ".new";

const BUSY = {
  ok: false,
  problem: "another machine is being rented just now; wait until it is listed",
} as const;

/**
 * One machine is rented at a time, so that one whose answer was lost can be told from what was there
 * before. The turn is over with `release`, which whoever began is to call, or at once where nothing began.
 */
export async function rentInTurn<T extends { readonly ok: boolean }>(
  { leases }: { readonly leases: Pick<Leases, "lock"> },
  begin: (release: () => void) => Promise<T>,
): Promise<T | typeof BUSY> {
  const renting = leases.lock(RENTING);
  if (renting.kind === "held") return BUSY;
  const release = once(() => renting.lock.release());
  try {
    const begun = await begin(release);
    if (!begun.ok) release();
    return begun;
  } catch (error) {
    release();
    throw error;
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
