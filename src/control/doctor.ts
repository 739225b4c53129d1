import type { Config } from "../config/schema.ts";
import { systemClock } from "../lib/clock.ts";
import { instancesFrom } from "../upstream/configured.ts";
import { createLocalDiscovery } from "../upstream/discovery.ts";
import type { Fetch } from "../upstream/fetch.ts";
import type { Instance } from "../upstream/instance.ts";
import { listModels } from "../upstream/listing.ts";
import type { RouterIdentity } from "../upstream/outbound-headers.ts";
import { createRegistry } from "../upstream/registry.ts";
import { credentialSource } from "./credential-source.ts";

/** What is known about one instance; no field holds a credential. */
export interface InstanceReport {
  readonly name: string;
  readonly type: string;
  readonly source: Instance["source"];
  readonly base_url: string;
  /** Models listed or configured; null while unknown. */
  readonly models: number | null;
  /** Why it cannot serve, or null. */
  readonly problem: string | null;
  readonly credential: "set" | "missing" | "not needed";
  /** The variable or config key the credential is read from; null where none is needed. */
  readonly credential_from: string | null;
  /** Whether its model listing answered; null where it was not asked. */
  readonly reach: Reach | null;
}

export type Reach =
  { readonly ok: true; readonly models: number } | { readonly ok: false; readonly reason: string };

interface DoctorDependencies {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly identity: RouterIdentity;
  readonly fetch: Fetch;
}

/** Examines configured, environment and local instances, each with one GET, all at once. */
export async function examine(
  dependencies: DoctorDependencies,
  { timeout_ms }: { readonly timeout_ms: number },
): Promise<readonly InstanceReport[]> {
  const { config, env, identity, fetch } = dependencies;
  const registry = createRegistry();
  registry.replaceConfigured(instancesFrom({ config, env }).instances);
  const look = createLocalDiscovery({
    registry,
    fetch,
    identity,
    clock: systemClock,
    routing: () => config.routing,
    ownPort: () => config.server.port,
    report: () => undefined,
  });
  const signal = AbortSignal.timeout(timeout_ms);
  if (config.routing.discover_local) await look(signal);
  const instances = registry.list().filter(({ source }) => source !== "builtin");
  return Promise.all(instances.map((instance) => report(dependencies, instance, signal)));
}

async function report(
  { config, env, identity, fetch }: DoctorDependencies,
  instance: Instance,
  signal: AbortSignal,
): Promise<InstanceReport> {
  const { name, type, source, base_url, problem } = instance;
  const reach =
    problem === null && type.paths.models !== null
      ? reachOf(await listModels({ fetch, instance, identity, clock: systemClock, signal }))
      : null;
  return {
    name,
    type: type.id,
    source,
    base_url,
    models: reach?.ok === true ? reach.models : (instance.configured_models?.length ?? null),
    problem: problem?.message ?? null,
    credential: credentialState(instance),
    credential_from: credentialSource(instance, { config, env }) ?? type.env[0] ?? null,
    reach,
  };
}

function credentialState({ credential, problem }: Instance): InstanceReport["credential"] {
  if (credential !== null) return "set";
  return problem?.code === "missing_credential" ? "missing" : "not needed";
}

function reachOf({ models, failure }: Awaited<ReturnType<typeof listModels>>): Reach {
  return failure === null ? { ok: true, models: models.length } : { ok: false, reason: failure };
}
