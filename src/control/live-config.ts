import type { CardOverrides } from "../config/card-file.ts";
import { unknownPool, unknownProfile } from "../config/check-pools.ts";
import type { KeyScope } from "../config/check.ts";
import {
  loadConfig,
  type LoadedConfig,
  type LoadRequest,
  type LoadResult,
} from "../config/layers.ts";
import type { Env } from "../config/paths.ts";
import { type ConfigProblem, parsePath } from "../config/problem.ts";
import { type ReadFile, readSmallFile, rememberFiles } from "../config/read-file.ts";
import { redactAt } from "../config/redact.ts";
import type { Config } from "../config/schema.ts";
import { changedKeys, type Layer } from "../config/sources.ts";
import { storedValueProblem, writableKeys } from "../config/store-layer.ts";
import { deepFreeze, valueAt } from "../config/tree.ts";
import type { Store, StoredState } from "../store/store.ts";

/** What only a restart can change: the listener is bound once. */
const BOUND_KEYS = ["server.host", "server.port"] as const;

export interface LiveConfigDependencies {
  /** The config file; null for none. */
  readonly path: string | null;
  readonly env: Env;
  readonly store: Pick<Store, "state" | "onStateChange" | "setOverride" | "deleteOverride">;
  readonly readFile?: ReadFile;
}

/** A change of the running config, after it was put in place. */
export interface ConfigChange {
  readonly config: Config;
  /** Dotted keys with a new value. */
  readonly changed: readonly string[];
}

type ReloadResult =
  | {
      readonly ok: true;
      readonly changed: readonly string[];
      /** Keys whose configured value waits for a restart. */
      readonly restart: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export type SetResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: "config_key_not_writable" | "invalid_value";
      readonly message: string;
    };

interface RunningConfig extends LoadedConfig {
  readonly restart: readonly string[];
}

/** One config value as it may be shown. */
interface ShownValue {
  readonly key: string;
  /** Null if there is none; secrets only as `set` or `unset`. */
  readonly value: unknown;
  readonly source: Layer;
  readonly writable: boolean;
}

/** The config that is in force; it changes as a whole or not at all. */
export interface LiveConfig {
  current(): RunningConfig;
  values(): readonly ShownValue[];
  /** Reads file, environment and store again. Any problem leaves the running config alone. */
  reload(): Promise<ReloadResult>;
  /** Stores a value for a writable key; it is in force when the promise resolves. */
  set(key: string, value: unknown): Promise<SetResult>;
  /** Falls back to environment, file or default; fine if nothing was stored. */
  unset(key: string): Promise<SetResult>;
  /** Called after every change, with the new config in place. Returns a function that ends it. */
  onChange(listener: (change: ConfigChange) => void): () => void;
}

export type StartResult =
  { readonly ok: true; readonly live: LiveConfig } | Extract<LoadResult, { ok: false }>;

/** Loads the config and keeps it current, also with what other processes store. */
export function createLiveConfig(dependencies: LiveConfigDependencies): StartResult {
  const { path, env, store } = dependencies;
  const files = rememberFiles(dependencies.readFile ?? readSmallFile);
  const load = (state: LoadedState, more: Partial<LoadRequest>) =>
    loadConfig({
      path,
      env,
      overrides: state.overrides,
      keyScopes: scopesOf(state),
      storedProfiles: namesOf(state),
      ...more,
    });
  const started = load(store.state(), { readFile: files.fresh });
  if (!started.ok) return started;
  files.keep();
  const bound = started.config.server;
  let running = bind(started, bound);
  const listeners = new Set<(change: ConfigChange) => void>();

  const putInForce = (loaded: LoadedConfig): readonly string[] => {
    const next = bind(loaded, bound);
    const keys = changedKeys(running.config, next.config);
    const isNewContent = !sameCards(running.cards, next.cards) && !keys.includes(CARD_FILE);
    const changed = isNewContent ? [...keys, CARD_FILE] : keys;
    running = next;
    if (changed.length > 0) {
      for (const listener of listeners) listener({ config: next.config, changed });
    }
    return changed;
  };
  const reload = (): ReloadResult => {
    const loaded = load(store.state(), { readFile: files.fresh, boundHost: bound.host });
    if (!loaded.ok) return { ok: false, problems: loaded.problems };
    files.keep();
    return { ok: true, changed: putInForce(loaded), restart: running.restart };
  };
  // The files stay as they were read: a half-edited one must not get in the way of a stored value.
  const apply = (state: LoadedState): void => {
    const loaded = load(state, { readFile: files.kept, keyScopes: ALL_SCOPES });
    if (loaded.ok) putInForce(loaded);
  };
  const applyOverrides = (overrides: StoredState["overrides"]) =>
    apply({ ...store.state(), overrides });
  store.onStateChange(apply);

  const live: LiveConfig = {
    current: () => running,
    values: () => shownValues(running),
    reload: () => Promise.resolve().then(reload),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...settings({ store, running: () => running.config, applyOverrides }),
  };
  return { ok: true, live };
}

interface SettingsDependencies {
  readonly store: LiveConfigDependencies["store"];
  readonly running: () => Config;
  readonly applyOverrides: (overrides: StoredState["overrides"]) => void;
}

function settings({
  store,
  running,
  applyOverrides,
}: SettingsDependencies): Pick<LiveConfig, "set" | "unset"> {
  return {
    set: async (key, value) => {
      const storedProfiles = namesOf(store.state());
      const refusal = refusalOf({ key, value, config: running(), storedProfiles });
      if (refusal !== undefined) return refusal;
      const json = JSON.stringify(value);
      await store.setOverride(key, json);
      applyOverrides({ ...store.state().overrides, [key]: json });
      return { ok: true };
    },
    unset: async (key) => {
      if (!writableKeys().includes(key)) return notWritable(key);
      await store.deleteOverride(key);
      const { [key]: _removed, ...overrides } = store.state().overrides;
      applyOverrides(overrides);
      return { ok: true };
    },
  };
}

/** Stands for the content of the file as well as for its name. */
const CARD_FILE = "catalog.file";

function sameCards(a: CardOverrides, b: CardOverrides): boolean {
  return JSON.stringify([...a]) === JSON.stringify([...b]);
}

const ALL_SCOPES: ReadonlySet<KeyScope> = new Set(["client", "admin"]);

type LoadedState = Pick<StoredState, "keys" | "overrides" | "profiles">;

function namesOf({ profiles }: Pick<StoredState, "profiles">): ReadonlySet<string> {
  return new Set(Object.keys(profiles));
}

/** Scopes for which a key is in use. */
function scopesOf({ keys }: Pick<StoredState, "keys">): ReadonlySet<KeyScope> {
  return new Set(keys.filter((key) => key.revoked_at === null).map((key) => key.scope));
}

/** The listener stays where it is whatever the file says, so that nobody draws conclusions from a wish. */
function bind(loaded: LoadedConfig, { host, port }: Config["server"]): RunningConfig {
  const server = { ...loaded.config.server, host, port };
  const config = deepFreeze({ ...loaded.config, server });
  const restart = BOUND_KEYS.filter(
    (key) => valueAt(config, parsePath(key)) !== valueAt(loaded.config, parsePath(key)),
  );
  const { sources, warnings, cards } = loaded;
  return { config, sources, warnings, cards, restart };
}

function shownValues({ config, sources }: RunningConfig): readonly ShownValue[] {
  const writable = new Set(writableKeys());
  return Object.entries(sources).map(([key, source]) => {
    const path = parsePath(key);
    const value = redactAt(path, valueAt(config, path)) ?? null;
    return { key, value, source, writable: writable.has(key) };
  });
}

interface Proposed {
  readonly key: string;
  readonly value: unknown;
  readonly config: Config;
  readonly storedProfiles: ReadonlySet<string>;
}

function refusalOf(proposed: Proposed): SetResult | undefined {
  const { key, value } = proposed;
  if (!writableKeys().includes(key)) return notWritable(key);
  const missing = typeof value === "string" ? missingName(value, proposed) : undefined;
  const problem =
    storedValueProblem(key, value) ??
    (missing && [missing.message, missing.hint].filter(Boolean).join("; "));
  if (problem === undefined) return undefined;
  return { ok: false, code: "invalid_value", message: `\`${key}\`: ${problem}` };
}

/** Why a value names nothing that exists, for the keys that name something. */
function missingName(name: string, { key, config, storedProfiles }: Proposed) {
  const input = { config, storedProfiles, isBroken: () => false };
  if (key === "routing.default_pool") return unknownPool(name, input);
  return key === "routing.default_profile" ? unknownProfile(name, input) : undefined;
}

function notWritable(key: string): SetResult {
  const writable = writableKeys().map((other) => `\`${other}\``);
  const message = `\`${key.slice(0, 128)}\` cannot be changed at run time, only ${writable.join(", ")}; edit the config file and reload`;
  return { ok: false, code: "config_key_not_writable", message };
}
