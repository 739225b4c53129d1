/**
 * What the supervisor asks of Colab, in official commands. Nothing here decides: no call is
 * repeated, no result is taken for proof of release, and none of them throws for anything that the
 * command, the network or Google does.
 */
import type { Sku } from "../lease.ts";
import type { Listing } from "../listing.ts";
import type { ColabFault } from "./faults.ts";

export interface ColabDriver {
  /** Which program `colab` is. Starts it once; no network. */
  readonly checkProgram: () => Promise<ProgramCheck>;
  /** Whether Google knows who we are. */
  readonly checkLogin: () => Promise<LoginCheck>;
  /**
   * All machines of the account, those of other programs too. With `name` they are listed through
   * that runtime's own store, which names its session and forgets one that is not listed (yet); without,
   * every name is null, and the listing says whose account it is.
   */
  readonly list: (name?: string) => Promise<ListingReport>;
  /** Compute units; lags minutes behind, so never proof of anything. */
  readonly readUsage: () => Promise<UsageReport>;
  /**
   * Rents a machine. Only ever called with a lease on disk. May take five minutes, and is not to be
   * cut short: a command that dies between Google's answer and its own store leaves a machine that
   * only the account's listing shows.
   */
  readonly create: (request: CreateRequest) => Promise<CreateReport>;
  /** Runs Python in the machine's kernel and looks for the marker it prints. */
  readonly execute: (request: ExecuteRequest) => Promise<ExecuteReport>;
  /** Puts a file on the machine; its content is in no argument, environment or history. */
  readonly upload: (request: UploadRequest) => Promise<UploadReport>;
  /** Brings a file of the machine, whole and into memory. */
  readonly download: (request: DownloadRequest) => Promise<DownloadReport>;
  /**
   * Asks for the release, for which scripts and uploads on the machine are ended. `terminated` is what
   * the command says, not proof.
   */
  readonly stop: (name: string) => Promise<StopReport>;
  /** What the runtime's own store says of its session; null if it has none. */
  readonly entry: (name: string) => StoredSession | null;
  /** The same once no command uses the store, as one that rents does; null too where it cannot be read. */
  readonly stored: (name: string) => Promise<StoredSession | null>;
  /** Makes `name` stand for `endpoint` in the runtime's store, so that it can be stopped and used. */
  readonly adopt: (name: string, endpoint: string) => Promise<void>;
  /** Lists, which fetches a fresh proxy token, and says whether `name` may be connected to. */
  readonly refresh: (name: string, endpoint: string) => Promise<RefreshReport>;
  /** Removes the runtime's store; only once its machine is proven gone. */
  readonly forget: (name: string) => Promise<void>;
  /** How ssh reaches the machine of `name`; call `refresh` before every connection. */
  readonly bridge: (name: string, identity: string) => Bridge;
  /** Where the runtime's store is, 0700: for its key and the like. */
  readonly directory: (name: string) => string;
}

/** A command that carries ssh's bytes over its standard input and output. */
export interface Bridge {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

export type ProgramCheck =
  | { readonly kind: "ok"; readonly version: string; readonly path: string }
  | { readonly kind: "failed"; readonly fault: ColabFault };

export type LoginCheck =
  { readonly kind: "ok" } | { readonly kind: "failed"; readonly fault: ColabFault };

export interface ListingReport {
  readonly listing: Listing;
  /** Why the listing is doubtful, if a failure of the command is the reason. */
  readonly fault: ColabFault | null;
}

export type UsageReport =
  | {
      readonly kind: "ok";
      readonly balance_cu: number;
      /** Compute units an hour, of the whole account. */
      readonly rate_cu_h: number;
      readonly assignment_count: number;
    }
  | { readonly kind: "failed"; readonly fault: ColabFault };

export interface CreateRequest {
  readonly name: string;
  /** Null: a machine without accelerator. */
  readonly sku: Sku | null;
}

export type CreateReport =
  | { readonly kind: "created"; readonly endpoint: string }
  | {
      readonly kind: "failed";
      readonly fault: ColabFault;
      /** False only where Google refused in so many words, or nothing was sent. */
      readonly may_be_billing: boolean;
    };

export interface ExecuteRequest {
  readonly name: string;
  /** Python; ends up in no argument, and must hold no secret. */
  readonly script: string;
  /** The text that the script prints to say that it got to its end. */
  readonly marker: string;
  readonly timeout_ms: number;
}

export type ExecuteReport =
  /** The marker came, whatever else the command said. `stdout` is free of colours. */
  | { readonly kind: "confirmed"; readonly stdout: string }
  | { readonly kind: "failed"; readonly fault: ColabFault; readonly stdout: string };

export interface UploadRequest {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Absolute path on the machine. */
  readonly path: string;
}

export type UploadReport =
  { readonly kind: "uploaded" } | { readonly kind: "failed"; readonly fault: ColabFault };

export interface DownloadRequest {
  readonly name: string;
  /** Absolute path on the machine. */
  readonly path: string;
}

export type DownloadReport =
  | { readonly kind: "downloaded"; readonly content: Uint8Array }
  | { readonly kind: "failed"; readonly fault: ColabFault };

export type StopReport =
  | { readonly kind: "terminated" }
  /** The store has no such session: nothing was sent to Google. */
  | { readonly kind: "unknown" }
  /** Google says there is no such machine. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly fault: ColabFault };

export interface StoredSession {
  readonly name: string;
  readonly endpoint: string;
  /** Epoch ms; null if the store does not say. */
  readonly token_expires_at: number | null;
}

export type RefreshReport =
  /** The store's entry is the endpoint's, with a token that is good for a while. */
  | { readonly kind: "fresh" }
  /** The listing lacks the endpoint: do not connect. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly fault: ColabFault };
