/** What discovery found out, for log and start-up summary. Names and numbers only. */
export type DiscoveryChange =
  | { readonly kind: "found"; readonly instance: string; readonly models: number }
  | { readonly kind: "vanished"; readonly instance: string }
  /** First listing of an instance, or the first after a failure. */
  | { readonly kind: "listed"; readonly instance: string; readonly models: number }
  /** The first of a row of failures; `failure` completes "`instance` …". */
  | { readonly kind: "listing_failed"; readonly instance: string; readonly failure: string };

export type ReportChange = (change: DiscoveryChange) => void;
