import type { ProviderPaths, ProviderQuirks, ProviderType } from "./provider-type.ts";

/** Paths of an API that mirrors OpenAI's older ones; few vendors have the others. */
const USUAL_PATHS: ProviderPaths = {
  chat: "/chat/completions",
  completions: "/completions",
  embeddings: "/embeddings",
  messages: null,
  responses: null,
  models: "/models",
};

const PLAIN_QUIRKS: ProviderQuirks = {
  stream_options: true,
  encoding_format: true,
  model_prefix: "",
};

type Named = Pick<ProviderType, "id" | "name" | "base_url">;
type Deviations = Partial<Omit<ProviderType, "id" | "name" | "base_url" | "paths" | "quirks">> & {
  readonly paths?: Partial<ProviderPaths>;
  readonly quirks?: Partial<ProviderQuirks>;
};

/** A bearer-authenticated mirror of OpenAI's API, except where `deviations` says otherwise. */
export function describeType(named: Named, deviations: Deviations): ProviderType {
  return {
    auth: "bearer",
    env: [],
    base_url_env: null,
    local_port: null,
    headers: {},
    default_model: null,
    client_headers: [],
    ...named,
    ...deviations,
    paths: { ...USUAL_PATHS, ...deviations.paths },
    quirks: { ...PLAIN_QUIRKS, ...deviations.quirks },
  };
}
