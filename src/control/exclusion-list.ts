import type { Config } from "../config/schema.ts";
import { type Exclusion, type ExclusionIndex, indexExclusions } from "../health/exclusions.ts";
import { readSubject } from "../health/scope.ts";
import { STATIC_EXCLUSIONS } from "../health/static-exclusions.ts";
import type { Store, StoredExclusion } from "../store/store.ts";

/** Everything that is shut out, by whom and why. */
export interface ExclusionList {
  /** Those of the release, then of the config, then of operators; some may have ended. */
  list(): readonly Exclusion[];
  /** The same, to be asked for each target. */
  index(): ExclusionIndex;
}

interface ExclusionDependencies {
  readonly config: () => Config;
  readonly store: Pick<Store, "state">;
}

interface Made {
  readonly configured: Config["exclusions"];
  readonly stored: readonly StoredExclusion[];
  readonly list: readonly Exclusion[];
  readonly index: ExclusionIndex;
}

/** Worked out anew only when the config or the store has changed. */
export function createExclusionList({ config, store }: ExclusionDependencies): ExclusionList {
  let made: Made | undefined;
  const current = () => {
    const configured = config().exclusions;
    const stored = store.state().exclusions;
    if (made?.configured === configured && made.stored === stored) return made;
    const list = [...shipped, ...ofConfig(configured), ...stored.map(ofOperator)];
    made = { configured, stored, list, index: indexExclusions(list) };
    return made;
  };
  return { list: () => current().list, index: () => current().index };
}

const shipped = STATIC_EXCLUSIONS.flatMap(({ subject, reason }) =>
  lasting(subject, reason, "shipped"),
);

function ofConfig(exclusions: Config["exclusions"]): Exclusion[] {
  return Object.entries(exclusions).flatMap(([name, reason]) => lasting(name, reason, "config"));
}

/** The loader has refused every config with a name that cannot be read. */
function lasting(text: string, reason: string, source: "shipped" | "config"): Exclusion[] {
  const read = readSubject(text);
  if (!read.ok) return [];
  const { scope, subject } = read.value;
  const id = `${source}:${subject}`;
  return [{ id, scope, subject, reason, source, created_at: null, until_at: null }];
}

function ofOperator(exclusion: StoredExclusion): Exclusion {
  return { ...exclusion, source: "operator" };
}
