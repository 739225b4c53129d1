/** What a plan costs for a pool of 200 targets, under each strategy, beside copying the same list. */
import { loadConfig } from "../../src/config/layers.ts";
import { createAccounts } from "../../src/control/balances-accounts.ts";
import { createCatalog } from "../../src/control/catalog.ts";
import { createLiveHealth } from "../../src/control/live-health.ts";
import { createPreferences } from "../../src/control/preferences.ts";
import { createWorld } from "../../src/control/world.ts";
import { createRoutingMemory } from "../../src/relay/routing-memory.ts";
import { makePlan } from "../../src/routing/make-plan.ts";
import { STRATEGIES } from "../../src/routing/strategies/strategy.ts";
import type { RoutingWorld } from "../../src/routing/world.ts";
import type { StoredState } from "../../src/store/store.ts";
import { instancesFrom } from "../../src/upstream/configured.ts";
import { createRegistry } from "../../src/upstream/registry.ts";

const INSTANCES = 20;
const MODELS = 10;
const ROUNDS = 3000;
/** What a plan of this size may take, in µs. */
const WANTED = 50;

const clock = { now: () => Date.now(), elapsed: () => performance.now() };

function configText(): string {
  const names = Array.from({ length: INSTANCES }, (_, n) => `box-${n}`);
  const providers = names.map(
    (name) => `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:9/v1"`,
  );
  const targets = Array.from({ length: MODELS }, (_, model) =>
    names.map((name) => `"${name}:vendor/model-${model}?weight=${model}&temperature=0.2"`),
  ).flat();
  const pools = Object.keys(STRATEGIES).map(
    (strategy) =>
      `[pools.${strategy}]\nstrategy = "${strategy}"\ntargets = [${targets.join(", ")}]`,
  );
  return [...providers, ...pools].join("\n");
}

/** The real parts, as `serve` puts them together; of the targets one in `benched_every` cools down. */
function createRouterWorld(benched_every: number): () => RoutingWorld {
  const text = configText();
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
    exclusions: { index: () => NO_EXCLUSIONS },
    trips: [],
    tallies: [],
    hostOf: (instance) => instance,
    notify: () => undefined,
    onEmptyAccount: () => undefined,
  });
  for (let n = 0; n < INSTANCES * MODELS; n++) {
    const target = {
      instance: `box-${n % INSTANCES}`,
      model: `vendor/model-${Math.floor(n / INSTANCES)}`,
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

const BODY = {
  messages: Array.from({ length: 20 }, () => ({ role: "user", content: "word ".repeat(200) })),
};

/** Median µs of a call. */
function measure(call: () => unknown): number {
  for (let n = 0; n < ROUNDS / 3; n++) call();
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    call();
    return performance.now() - started;
  });
  return (times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0) * 1000;
}

const fleets = [
  { fleet: "all healthy", world: createRouterWorld(Infinity) },
  { fleet: "a tenth benched", world: createRouterWorld(10) },
];
const plain = { block: {}, body: BODY, dialect: "chat", session: "s", key_profile: null } as const;

for (const { fleet, world } of fleets) {
  const plan = (name: string) => makePlan({ ...plain, model: `pool:${name}`, world: world() });
  const first = plan("priority");
  if (first.kind === "refuse") throw new Error(first.message);
  const { candidates } = first;
  const baseline = measure(() => candidates.map((candidate) => ({ ...candidate })));
  console.log(`${fleet}: copying ${candidates.length} candidates takes ${baseline.toFixed(1)} µs`);
  for (const name of Object.keys(STRATEGIES)) {
    const cost = measure(() => plan(name));
    const ratio = (cost / baseline).toFixed(1);
    const verdict = cost < WANTED ? "" : `  above the ${WANTED} µs wanted`;
    console.log(
      `  ${name.padEnd(15)} ${cost.toFixed(1).padStart(6)} µs ${ratio.padStart(5)}×${verdict}`,
    );
  }
}
