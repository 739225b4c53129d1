import type { Target } from "../address/target.ts";
import type { CardOverrides } from "../config/card-file.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { memoize } from "../lib/memoize.ts";
import type { Random } from "../lib/random.ts";
import { type AnswerTypes, createAnswerTypes } from "../relay/answer-types.ts";
import type { Relay } from "../relay/client-request.ts";
import type { Health } from "../relay/health-state.ts";
import type { ShutHosts } from "../relay/ignore-hosts.ts";
import { createLedger } from "../relay/ledger.ts";
import { createRelay } from "../relay/relay.ts";
import { createRoutingMemory } from "../relay/routing-memory.ts";
import { relaySettings } from "../relay/settings.ts";
import type { RoutingWorld } from "../routing/world.ts";
import type { Store } from "../store/store.ts";
import type { EventHub } from "../telemetry/events.ts";
import { faultOf } from "../telemetry/fault.ts";
import type { Log } from "../telemetry/log.ts";
import { instancesFrom } from "../upstream/configured.ts";
import { createConnectCheck } from "../upstream/connect-check.ts";
import type { DiscoveryChange } from "../upstream/discovery-change.ts";
import type { Fetch } from "../upstream/fetch.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";
import type { RouterIdentity } from "../upstream/outbound-headers.ts";
import { createRegistry } from "../upstream/registry.ts";
import { send } from "../upstream/send.ts";
import { type Balances, createBalances } from "./balances.ts";
import { type Catalog, createCatalog } from "./catalog.ts";
import { changedAccounts } from "./changed-accounts.ts";
import { createDiscovery, type Discovery } from "./discovery.ts";
import { createLiveHealth, type LiveHealthDependencies } from "./live-health.ts";
import { createPreferences, type Preferences } from "./preferences.ts";
import { createWorld } from "./world.ts";

export interface DataPlaneDependencies extends Omit<
  LiveHealthDependencies,
  "onEmptyAccount" | "hostOf"
> {
  /** The config in force, asked anew each time. */
  readonly config: () => Config;
  /** The operator's own model cards, asked anew each time. */
  readonly cards: () => CardOverrides;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => string;
  readonly identity: RouterIdentity;
  readonly fetch: Fetch;
  readonly events: EventHub;
  readonly store: LiveHealthDependencies["store"] & Pick<Store, "recordDecision">;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Where a gateway must not send a request for a target. */
  readonly shutHosts: (instance: Instance, target: Target) => ShutHosts;
  /** A call to an instance begins or ends; a stream ends with its last byte. */
  readonly onActivity: (instance: string, kind: "start" | "end") => void;
  /** The router's own port, null before it listens. */
  readonly ownPort: () => number | null;
}

/** Everything that carries requests, from instances to the relay. */
export interface DataPlane {
  readonly registry: InstanceRegistry;
  readonly discovery: Discovery;
  readonly catalog: Catalog;
  readonly balances: Balances;
  readonly preferences: Preferences;
  readonly relay: Relay;
  readonly world: () => RoutingWorld;
  readonly answerTypes: Pick<AnswerTypes, "of">;
  /** For who asks in the clients' stead whether a breaker may close. */
  readonly breakers: Pick<Health, "breakers"> & {
    readonly tryOut: Health["signatures"]["tryOut"];
  };
  /** Writes down what has been learned of answers. */
  readonly saveBaselines: () => void;
  /** Takes a changed config over; open requests keep what they began with. */
  reconfigure(): void;
}

export function createDataPlane(dependencies: DataPlaneDependencies): DataPlane {
  const { config, clock, fetch, log, store } = dependencies;
  const registry = createRegistry();
  provisionInto(registry, dependencies);
  const discovery = createDiscovery({
    ...dependencies,
    registry,
    routing: () => config().routing,
    report: (change) => logChange(log, change),
  });
  const catalog = createCatalog({ registry, clock, overrides: dependencies.cards });
  const balances = createBalances({ ...dependencies, registry });
  const health = createLiveHealth({
    ...dependencies,
    hostOf: (name) => hostOf(registry, name),
    onEmptyAccount: (instance) => balances.recordEmpty(instance),
  });
  const answerTypes = createAnswerTypes();
  const memory = createRoutingMemory(() => clock.now());
  const preferences = createPreferences({ config, state: () => store.state() });
  const signals = { health, balances, catalog };
  const world = createWorld({ ...dependencies, ...signals, registry, memory, preferences });
  const relay = createRelay({
    ...dependencies,
    registry,
    world,
    memory,
    answerTypes,
    hashSession: hash,
    health: withActivity(health, dependencies.onActivity),
    settings: settingsOf(config),
    send: (sending) => send({ ...sending, fetch }),
    connectCheck: createConnectCheck({ clock }),
    ledger: createLedger({
      ...dependencies,
      costOf: (call, usage) => catalog.costOf(call, usage),
      keepUnfinished: (decision) => store.recordDecision(decision),
    }),
    discovered: () => discovery.firstRound,
    onFault: (error, request_id) => log.error({ request_id, ...faultOf(error) }, "bug"),
  });
  return {
    registry,
    discovery,
    catalog,
    balances,
    preferences,
    relay,
    world,
    answerTypes,
    breakers: breakersOf(health),
    saveBaselines: () => health.signatures.save(),
    reconfigure() {
      const before = registry.list();
      provisionInto(registry, dependencies);
      for (const name of changedAccounts(before, registry.list())) health.credentialChanged(name);
      void discovery.refresh();
    },
  };
}

function settingsOf(config: () => Config) {
  const settings = memoize(relaySettings);
  return () => settings(config());
}

function breakersOf(health: Health): DataPlane["breakers"] {
  return {
    breakers: () => health.breakers(),
    tryOut: (observation) => health.signatures.tryOut(observation),
  };
}

function withActivity(health: Health, onActivity: DataPlaneDependencies["onActivity"]): Health {
  return {
    ...health,
    begin(target) {
      const end = health.begin(target);
      onActivity(target.instance, "start");
      return () => {
        end();
        onActivity(target.instance, "end");
      };
    },
  };
}

/** Brings the registry's configured instances up to the config in force. */
function provisionInto(
  registry: InstanceRegistry,
  { config, env, log }: Pick<DataPlaneDependencies, "config" | "env" | "log">,
): void {
  const { instances, warnings } = instancesFrom({ config: config(), env });
  registry.replaceConfigured(instances);
  for (const warning of warnings) log.warn(warning);
}

const hash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64");

function hostOf(registry: InstanceRegistry, name: string): string {
  return URL.parse(registry.get(name)?.base_url ?? "")?.hostname ?? name;
}

function logChange(log: Pick<Log, "info" | "warn">, change: DiscoveryChange): void {
  if (change.kind === "listing_failed") log.warn(change, "listing failed");
  else log.info(change, change.kind);
}
