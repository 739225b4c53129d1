/** What a release shuts out for everybody, whatever the configuration. */
interface ShippedExclusion {
  /** An instance's name or a target's key, as the catalogue's own instances are called. */
  readonly subject: string;
  /** What was seen, where and when, so that whoever reads it can tell whether it still holds. */
  readonly reason: string;
}

/**
 * Reviewed by hand: an entry needs evidence that anybody can repeat, and goes with the release after
 * the vendor mended it. Empty as of this release: nothing is known that breaks for everybody.
 */
export const STATIC_EXCLUSIONS: readonly ShippedExclusion[] = [];
