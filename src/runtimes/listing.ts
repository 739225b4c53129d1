import type { Account } from "./lease.ts";

/** One line of `colab sessions`. */
export interface ListedSession {
  /** Null where the listing's own store does not know the endpoint (`[?]`). */
  readonly name: string | null;
  readonly endpoint: string;
  readonly hardware: string;
  readonly variant: string;
}

/** One answer of `colab sessions`. */
export type Listing =
  /** Exit code 0, nothing on stderr, every line understood: what is missing here is not there. */
  (
    | { readonly kind: "clean"; readonly at: Moment; readonly sessions: readonly ListedSession[] }
    /** What was understood may be trusted to exist; what is missing may exist all the same. */
    | {
        readonly kind: "doubtful";
        readonly at: Moment;
        readonly sessions: readonly ListedSession[];
        /** In our own words. */
        readonly reason: string;
      }
  ) & {
    /** Whose machines they are; missing where nobody asked, or the command could not say. */
    readonly account?: Account;
  };

/** One instant on two clocks. */
export interface Moment {
  /** Epoch ms: may jump. */
  readonly now: number;
  /** Milliseconds from an arbitrary start of this process; never jumps. */
  readonly elapsed: number;
}
