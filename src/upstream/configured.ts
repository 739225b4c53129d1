import type { ProviderType } from "../catalog/provider-type.ts";
import { PROVIDER_TYPES, providerType } from "../catalog/provider-types.ts";
import { isLoopbackHost } from "../config/base-url.ts";
import type { Env } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import { buildInstance, firstSet } from "./build-instance.ts";
import type { Instance, InstanceProblem } from "./instance.ts";
import { proxyWarnings } from "./proxy.ts";

export type ProviderConfig = Pick<Config, "providers" | "routing" | "server">;

export interface Provisioning {
  readonly config: ProviderConfig;
  readonly env: Env;
}

export interface Provisioned {
  /** In the order of the registry: file, environment, builtin. */
  readonly instances: readonly Instance[];
  /** What a person should know but the router can live with; no secrets in it. */
  readonly warnings: readonly string[];
}

/** Every instance that config and environment give, usable or with the problem that keeps it from use. */
export function instancesFrom({ config, env }: Provisioning): Provisioned {
  const configured = Object.entries(config.providers).flatMap(([name, section]) => {
    const type = providerType(section.type ?? name);
    const source = "config";
    return type === undefined ? [] : [buildInstance({ name, type, section, source, config, env })];
  });
  const taken = new Set(configured.map(({ name }) => name.toLowerCase()));
  const build = (type: ProviderType, source: Instance["source"]) =>
    buildInstance({ name: type.id, type, section: null, source, config, env });
  const provisioned = PROVIDER_TYPES.filter(
    (type) => autoprovisions(config) && firstSet(env, variablesOf(type)) !== undefined,
  ).map((type) => build(type, "environment"));
  const builtin = PROVIDER_TYPES.filter(({ id }) => id === "sim").map((type) =>
    build(type, "builtin"),
  );
  const others = [...provisioned, ...builtin].filter(({ name }) => !taken.has(name));
  const instances = [...configured, ...others];
  return {
    instances,
    warnings: [...instances.flatMap(warningsOf), ...proxyWarnings(instances, env)],
  };
}

/** Why a known provider type has no instance, and what would make one. */
export function absenceProblem(type: ProviderType, { config, env }: Provisioning): InstanceProblem {
  const found = firstSet(env, variablesOf(type));
  const section = `\`[providers.${type.id}]\``;
  if (found !== undefined && !autoprovisions(config)) {
    const message = `\`${found.name}\` is set, but instances are not made from the environment here: add ${section} or set \`routing.autoprovision = true\``;
    return { code: "missing_credential", message };
  }
  if (type.base_url === null) {
    const message = `\`${type.id}\` needs a section of its own: add ${section} with a \`base_url\``;
    return { code: "missing_base_url", message };
  }
  const [variable] = variablesOf(type);
  const way = variable === undefined ? `add ${section}` : `set \`${variable}\` or add ${section}`;
  return { code: "missing_credential", message: `\`${type.id}\` is not set up: ${way}` };
}

/** Whether a credential in the environment is enough to make an instance. */
function autoprovisions({ routing, server }: ProviderConfig): boolean {
  return routing.autoprovision ?? isLoopbackHost(server.host);
}

/** Variables whose presence says that a provider is wanted. */
function variablesOf(type: ProviderType): readonly string[] {
  return type.base_url_env === null ? type.env : [...type.env, type.base_url_env];
}

function warningsOf(instance: Instance): string[] {
  const { name, type, problem } = instance;
  const url = URL.parse(instance.base_url);
  // The config's own check says where a credential is missing.
  if (problem !== null) return problem.code === "missing_credential" ? [] : [problem.message];
  if (type.local_port !== null && url?.pathname === "/") {
    return [`the base URL of \`${name}\` has no path: ${type.name} usually serves below \`/v1\``];
  }
  if (url?.protocol === "http:" && !instance.direct && instance.credential !== null) {
    return [`\`${name}\` is reached over plain HTTP: its credential travels unencrypted`];
  }
  return [];
}
