import type { ProviderType } from "../catalog/provider-type.ts";
import type { ListedFacts } from "./listing-facts.ts";

/** Why an instance cannot serve now, in words a person can act on. */
export interface InstanceProblem {
  readonly code:
    | "missing_credential"
    | "bad_credential"
    | "missing_base_url"
    | "bad_base_url"
    | "runtime_degraded";
  readonly message: string;
}

export interface InstanceTimeouts {
  readonly connect_ms: number;
  readonly first_byte_ms: number;
  readonly first_token_ms: number;
  readonly response_ms: number;
  readonly idle_ms: number;
}

/** A provider that can be called: base URL and credential. */
export interface Instance {
  readonly name: string;
  readonly type: ProviderType;
  /** Without a trailing slash. */
  readonly base_url: string;
  /** Never logged, returned or stored. */
  readonly credential: string | null;
  /** `runtime`: a rented GPU. */
  readonly source: "config" | "runtime" | "environment" | "local" | "builtin";
  /** Configured as this site's own. */
  readonly local: boolean;
  /** Loopback, private or `local`: never sent through a proxy. */
  readonly direct: boolean;
  /** Proxy that requests go through; absent means none. May hold a password: never logged. */
  readonly proxy?: string;
  /** Its models write their reasoning into the text. */
  readonly inline_reasoning?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly configured_models: readonly string[] | null;
  readonly default_model: string | null;
  readonly timeouts: InstanceTimeouts;
  readonly problem: InstanceProblem | null;
}

/**
 * What an upstream last said it serves. After a failure all else is still that of the last
 * good answer; `at` null means there was none.
 */
export interface Listing {
  readonly state: "unknown" | "ok" | "failed";
  readonly models: readonly string[];
  readonly at: number | null;
  /** What that answer said of models beside their ids; left out if it said nothing. */
  readonly facts?: ListedFacts;
}

/** Instances in the order bare names are looked up: file, runtimes, environment, local, builtin. */
export interface InstanceRegistry {
  list(): readonly Instance[];
  get(name: string): Instance | undefined;
  add(instance: Instance): void;
  /** Takes back what `add` put in; configured instances go with `replaceConfigured` only. */
  remove(name: string): void;
  /** Swaps everything that came from config and environment; local finds and runtimes stay. */
  replaceConfigured(instances: readonly Instance[]): void;
  listing(name: string): Listing;
  setListing(name: string, listing: Listing): void;
}
