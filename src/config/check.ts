import type { Env } from "./paths.ts";
import type { Finding, Path } from "./problem.ts";
import type { Config } from "./schema.ts";

export type KeyScope = "client" | "admin";

/** What a check of the whole config may look at. */
export interface CheckInput {
  /** Right in shape, secrets in place. */
  readonly config: Config;
  readonly env: Env;
  /** Scopes for which a key was made with `veriroute keys create`. */
  readonly keyScopes: ReadonlySet<KeyScope>;
  /** Names of the profiles in the store; undefined where nobody has looked. */
  readonly storedProfiles: ReadonlySet<string> | undefined;
  /** Where the router listens, now and after a restart. */
  readonly hosts: readonly string[];
  /** Whether the value at a path, or a table around it, was left out as wrong; it counts as given then. */
  readonly isBroken: (path: Path) => boolean;
}

/** What is wrong, and what is only doubtful or up to the environment. */
export interface Findings {
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export function joinFindings(all: readonly Findings[]): Findings {
  return {
    problems: all.flatMap(({ problems }) => problems),
    warnings: all.flatMap(({ warnings }) => warnings),
  };
}
