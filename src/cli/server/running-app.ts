import type { Config } from "../../config/schema.ts";

/** What the commands need of the composition root; `src/app.ts` makes values of these shapes. */

/** Where the state lives and which file, if any, the config came from. */
export interface Paths {
  readonly state_dir: string;
  readonly config_file: string | null;
}

/** An instance as `serve` lists it. */
export interface FoundInstance {
  readonly name: string;
  readonly type: string;
  readonly source: "config" | "environment" | "local" | "builtin";
  readonly base_url: string;
  /** Models listed or configured; null while unknown. */
  readonly models: number | null;
  /** Why it cannot serve, or null. */
  readonly problem: string | null;
}

export interface Found {
  readonly instances: readonly FoundInstance[];
  /** True once a key of either scope exists. */
  readonly keys_required: boolean;
  /** The proxy for remote instances, without userinfo; null if there is none. */
  readonly proxy: string | null;
}

export type ReloadResult =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface RunningApp {
  /** Where it listens, such as `http://127.0.0.1:8484`; reachable from this machine. */
  readonly url: string;
  /** Settles once local servers were looked for and the first listings are in, or their time is up. */
  readonly discovered: Promise<void>;
  found(): Found;
  /** Reads config file and environment again; a bad file changes nothing. */
  reload(): Promise<ReloadResult>;
  /** Drains, writes what is queued, closes. */
  stop(): Promise<void>;
}

/** What `createApp` is given; it makes the state directory, opens the store and reads the config. */
export interface StartRequest {
  readonly paths: Paths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** A start that was refused says why in whole sentences, each with its fix. */
export type StartResult =
  | { readonly ok: true; readonly app: RunningApp }
  | { readonly ok: false; readonly exit_code: 1 | 78; readonly problems: readonly string[] };

/** What `doctor` learns about one instance; no field holds a credential. */
export interface InstanceReport extends FoundInstance {
  readonly credential: "set" | "missing" | "not needed";
  /** The variable or config key the credential is read from; null where none is needed. */
  readonly credential_from: string | null;
  /** Whether its model listing answered; null where it was not asked because of `problem`. */
  readonly reach: Reach | null;
}

export type Reach =
  { readonly ok: true; readonly models: number } | { readonly ok: false; readonly reason: string };

/** Examines upstreams with GET requests only. */
export interface Doctor {
  /** Configured, environment and local instances, each asked once for its models, all at once. */
  examine(limits: { readonly timeout_ms: number }): Promise<readonly InstanceReport[]>;
}

/** What `createDoctor` is given. */
export interface DoctorRequest {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}
