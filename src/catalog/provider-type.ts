import type { DialectPaths } from "../protocol/dialect.ts";

/** Where a credential goes in a request. */
export type AuthStyle = "bearer" | "x-api-key" | "none";

/** A path below the base URL, or null where the provider has no such endpoint. */
export interface ProviderPaths extends DialectPaths {
  readonly models: string | null;
}

/** Facts on which the router acts; each one is read somewhere. */
export interface ProviderQuirks {
  /** Accepts `stream_options.include_usage`; others are never asked for it. */
  readonly stream_options: boolean;
  /** Accepts `encoding_format`; others get floats asked for and converted. */
  readonly encoding_format: boolean;
  /** Prefix of listed model ids that requests leave out, such as `models/`. */
  readonly model_prefix: string;
}

/** A kind of API, as data: everything the router knows about a vendor before it talks to it. */
export interface ProviderType {
  readonly id: string;
  /** Human name, for docs and messages. */
  readonly name: string;
  /** Null where only a configured `base_url` makes sense (`openai-compatible`). */
  readonly base_url: string | null;
  readonly auth: AuthStyle;
  /** Environment variables that may hold the credential, first found wins. */
  readonly env: readonly string[];
  /** Environment variable that moves the base URL, such as `OLLAMA_HOST`. */
  readonly base_url_env: string | null;
  /** A local server: usable without a credential and found on `local_port`. */
  readonly local_port: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: ProviderPaths;
  readonly quirks: ProviderQuirks;
  /** Used when a spec names no model and the config no `default_model`. */
  readonly default_model: string | null;
  /** Further client headers this provider understands, lower case. */
  readonly client_headers: readonly string[];
}
