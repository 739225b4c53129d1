import type { Shell } from "../terminal/shell.ts";
import type { RouterFacts } from "./router-facts.ts";

/** A client that people point at the router. */
export interface Harness {
  /** As it is named on the command line. */
  readonly id: string;
  readonly title: string;
  /** What to set, to be pasted into a shell, a file or a program. */
  snippet(facts: RouterFacts, model: string): string;
  /** How it is started then. */
  readonly start: (model: string) => string;
  /** Null where nothing but environment variables or code has to change. */
  readonly file: HarnessFile | null;
}

/** A config file of a client that `setup` can write. */
export interface HarnessFile {
  /** Null if no home directory is known. */
  path(env: Shell["env"]): string | null;
  /** The file with the router in it; null stands for a file that does not exist. */
  add(before: string | null, facts: RouterFacts, model: string): Changed;
  /** The file without it, as it was in `first` if that says the same; null where nothing would be left. */
  remove(before: string, first: string | null): Changed;
}

export type Changed =
  | { readonly ok: true; readonly after: string | null }
  /** Completes "FILE …". */
  | { readonly ok: false; readonly problem: string };

/** The variable that clients take the router's key from. */
export const KEY_VARIABLE = "VERIROUTE_KEY";

/** For clients that insist on a key where the router wants none. */
export const keyText = ({ needs_key }: Pick<RouterFacts, "needs_key">): string =>
  needs_key ? `$${KEY_VARIABLE}` : "unused";
