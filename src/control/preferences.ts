import { Value } from "@sinclair/typebox/value";

import { Profile as ProfileSchema } from "../config/schema-routing.ts";
import type { Config } from "../config/schema.ts";
import { memoize } from "../lib/memoize.ts";
import { type Allowlist, createAllowlist } from "../routing/allowlist.ts";
import type { Profile } from "../routing/profile.ts";
import type { StoredState } from "../store/store.ts";

/** Where a profile or an allowlist entry was made; what the file defines is read-only elsewhere. */
export type Origin = "file" | "store";

/** A profile as it is written down. */
export interface WrittenProfile {
  readonly name: string;
  readonly origin: Origin;
  readonly written: ProfileSchema;
}

export interface AllowedEntry {
  readonly target: string;
  readonly origin: Origin;
}

/** Profiles and allowlist as config and store together have them, at the moment of the call. */
export interface Preferences {
  profiles(): ReadonlyMap<string, Profile>;
  /** Null lets every target serve. */
  allowlist(): Allowlist | null;
  /** By name. A profile of the file hides one of the same name in the store. */
  written(): readonly WrittenProfile[];
  /** The file's first. */
  entries(): readonly AllowedEntry[];
}

interface PreferencesDependencies {
  readonly config: () => Config;
  readonly state: () => Pick<StoredState, "profiles" | "allowlist">;
}

export function createPreferences({ config, state }: PreferencesDependencies): Preferences {
  // Config and stored state are replaced as a whole whenever anything in them changes.
  const known = memoize((current: Config) =>
    memoize((stored: ReturnType<PreferencesDependencies["state"]>) => combine(current, stored)),
  );
  const combined = () => known(config())(state());
  return {
    profiles: () => combined().profiles,
    allowlist: () => combined().allowlist,
    written: () => combined().written,
    entries: () => combined().entries,
  };
}

function combine(config: Config, stored: Pick<StoredState, "profiles" | "allowlist">) {
  const written = writtenProfiles(config, stored.profiles);
  const entries = allowedEntries(config, stored.allowlist);
  const enforced = config.allowlist.enabled ?? entries.length > 0;
  return {
    written,
    entries,
    profiles: new Map(written.map(({ name, written: profile }) => [name, routed(profile)])),
    allowlist: enforced ? createAllowlist(entries.map(({ target }) => target)) : null,
  };
}

function writtenProfiles(
  config: Config,
  stored: StoredState["profiles"],
): readonly WrittenProfile[] {
  const inFile = Object.entries(config.profiles).map(([name, written]): WrittenProfile => ({
    name,
    origin: "file",
    written,
  }));
  const inStore = Object.entries(stored).flatMap(([name, json]): WrittenProfile[] => {
    const written = readProfile(json);
    if (written === undefined || Object.hasOwn(config.profiles, name)) return [];
    return [{ name, origin: "store", written }];
  });
  return [...inFile, ...inStore].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a newer version stored may not fit; it then counts as not there. */
function readProfile(json: string): ProfileSchema | undefined {
  const value = Value.Default(ProfileSchema, JSON.parse(json));
  return Value.Check(ProfileSchema, value) ? value : undefined;
}

function routed({ pool, params, allow, verify, hold_back }: ProfileSchema): Profile {
  const { max_price = null, providers = null } = allow;
  return { pool: pool ?? null, params, allow: { max_price, providers }, verify, hold_back };
}

function allowedEntries(config: Config, stored: readonly string[]): readonly AllowedEntry[] {
  const inFile = new Set(config.allowlist.targets);
  return [
    ...[...inFile].map((target): AllowedEntry => ({ target, origin: "file" })),
    ...stored
      .filter((target) => !inFile.has(target))
      .map((target): AllowedEntry => ({ target, origin: "store" })),
  ];
}
