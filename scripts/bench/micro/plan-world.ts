/** The parts of `serve` that a plan is made from, over a fleet of any size. */
import { loadConfig } from "../../../src/config/layers.ts";
import { createAccounts } from "../../../src/control/balances-accounts.ts";
import { createCatalog } from "../../../src/control/catalog.ts";
import { createLiveHealth } from "../../../src/control/live-health.ts";
import { createPreferences } from "../../../src/control/preferences.ts";
import { createWorld } from "../../../src/control/world.ts";
import { createRoutingMemory } from "../../../src/relay/routing-memory.ts";
import { STRATEGIES } from "../../../src/routing/strategies/strategy.ts";
import type { RoutingWorld } from "../../../src/routing/world.ts";
import type { StoredState } from "../../../src/store/store.ts";
import { instancesFrom } from "../../../src/upstream/configured.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";

export interface Fleet {
  readonly instances: number;
  /** At each instance. */
  readonly models: number;
  /** Of the targets one in so many cools down. */
  readonly benched_every: number;
}

const clock = { now: () => Date.now(), elapsed: () => performance.now() };

function configText({ instances, models }: Fleet): string {
  const names = Array.from({ length: instances }, (_, n) => `box-${n}`);
  const providers = names.map(
    (name) => `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:9/v1"`,
  );
  const targets = Array.from({ length: models }, (_, model) =>
    names.map((name) => `"${name}:vendor/model-${model}?weight=${model}&temperature=0.2"`),
  ).flat();
  const pools = Object.keys(STRATEGIES).map(
    (strategy) =>
      `[pools.${strategy}]\nstrategy = "${strategy}"\ntargets = [${targets.join(", ")}]`,
  );
  return [...providers, ...pools].join("\n");
}

/** The real parts, as `serve` puts them together; of the targets one in `benched_every` cools down. */
export function createPlanWorld(fleet: Fleet): () => RoutingWorld {
  const { instances, models, benched_every } = fleet;
  const text = configText(fleet);
  const loaded = loadConfig({
    path: "/bench.toml",
    env: {},
    overrides: {},
    keyScopes: new Set(),
    readFile: () => ({ ok: true, text, mode: 0o600 }),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const registry = createRegistry();
  registry.replaceConfigured(instancesFrom({ config, env: {} }).instances);
  const health = createLiveHealth({
    clock,
    random: Math.random,
    config: () => config,
    store: {
      saveTrip: async () => undefined,
      dropTrip: async () => undefined,
      saveTallies: async () => undefined,
      state: () => NOTHING_STORED,
      onStateChange: () => undefined,
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    suspensions: () => new Map(),
    exclusions: { index: () => NO_EXCLUSIONS },
    trips: [],
    tallies: [],
    hostOf: (instance) => instance,
    notify: () => undefined,
    onEmptyAccount: () => undefined,
  });
  for (let n = 0; n < instances * models; n++) {
    const target = {
      instance: `box-${n % instances}`,
      model: `vendor/model-${Math.floor(n / instances)}`,
      params: {},
    };
    health.begin(target);
    health.succeed(target, { started_at: 0, latency_ms: (n * 7919) % 1000 });
    if (n % benched_every === 1) health.fail(target, RATE_LIMIT, { started_at: 0 });
  }
  const accounts = createAccounts({ registry, clock });
  return createWorld({
    clock,
    random: Math.random,
    registry,
    config: () => config,
    env: {},
    health,
    catalog: createCatalog({ registry, clock, overrides: () => NO_CARDS }),
    cards: () => NO_CARDS,
    balances: { balanceOf: (instance) => accounts.balanceOf(instance) },
    memory: createRoutingMemory(clock.now),
    preferences: createPreferences({ config: () => config, state: () => NOTHING_STORED }),
  });
}

const NO_EXCLUSIONS = new Map();
const NO_CARDS = new Map();
const NOTHING_STORED: StoredState = {
  keys: [],
  keys_lost: false,
  overrides: {},
  exclusions: [],
  profiles: {},
  allowlist: [],
  mutes: [],
  trips: [],
};

const RATE_LIMIT = {
  kind: "rate_limit",
  status: 429,
  vendor_code: null,
  message: null,
  param: null,
  retry_after_ms: 3_600_000,
  affects_health: "target",
  cooldown_ms: 3_600_000,
  reason: "bench",
} as const;
