import { Value } from "@sinclair/typebox/value";

import type { ProviderType } from "../../../src/catalog/provider-type.ts";
import { Provider } from "../../../src/config/schema-providers.ts";
import { Routing } from "../../../src/config/schema-routing.ts";
import { Server } from "../../../src/config/schema-server.ts";
import type { ProviderConfig } from "../../../src/upstream/configured.ts";
import type { Instance } from "../../../src/upstream/instance.ts";

/** A provider type with nothing special about it. */
export function sampleType(parts: Partial<ProviderType> = {}): ProviderType {
  return {
    id: "acme",
    name: "Acme",
    base_url: "https://api.acme.example/v1",
    auth: "bearer",
    env: ["ACME_API_KEY"],
    base_url_env: null,
    local_port: null,
    headers: {},
    paths: {
      chat: "/chat/completions",
      completions: "/completions",
      embeddings: "/embeddings",
      messages: null,
      responses: null,
      models: "/models",
    },
    quirks: { stream_options: true, encoding_format: true, model_prefix: "" },
    default_model: null,
    client_headers: [],
    ...parts,
  };
}

export function sampleInstance(parts: Partial<Instance> = {}): Instance {
  return {
    name: "acme",
    type: sampleType(),
    base_url: "https://api.acme.example/v1",
    credential: "sk-acme",
    source: "config",
    local: false,
    direct: false,
    headers: {},
    configured_models: null,
    default_model: null,
    timeouts: {
      connect_ms: 5_000,
      first_byte_ms: 120_000,
      first_token_ms: 180_000,
      response_ms: 300_000,
      idle_ms: 120_000,
    },
    problem: null,
    ...parts,
  };
}

export const identity = { version: "1.2.3", id: "r1" };

/** The config of a file that holds these sections; all else has its default. */
export function sampleConfig(sections: {
  readonly providers?: Readonly<Record<string, Partial<Provider>>>;
  readonly routing?: Partial<Routing>;
  readonly server?: Partial<Server>;
}): ProviderConfig {
  const providers = Object.entries(sections.providers ?? {}).map(
    ([name, section]) => [name, Value.Parse(Provider, section)] as const,
  );
  return {
    providers: Object.fromEntries(providers),
    routing: Value.Parse(Routing, sections.routing ?? {}),
    server: Value.Parse(Server, sections.server ?? {}),
  };
}
