import type { Trip } from "./breaker.ts";

/** Something about health that a person may want to know of. */
export type HealthNotice =
  | { readonly kind: "breaker_opened"; readonly trip: Trip }
  | { readonly kind: "breaker_closed"; readonly trip: Trip }
  /** The same first choice has failed so many requests in a row that it must be broken. */
  | {
      readonly kind: "persistent_failover";
      readonly pool: string;
      readonly first_choice: string;
      readonly count: number;
    };
