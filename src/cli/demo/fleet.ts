/** The demo's instances, in the order its pool prefers them. */
export const INSTANCES = ["alpha", "beta", "gamma"] as const;
export type FleetInstance = (typeof INSTANCES)[number];

/** The simulated model every instance serves, and the pool over all three. */
export const MODEL = "story";
export const POOL = "pool:demo";

/** Half a second for each answer, so that streams are open at any moment. */
const PARAMS = "tokens=24&tokens_per_second=60";

/** A simulated model whose fault an instance takes on: docs/simulator.md. */
export interface FleetFault {
  readonly model: "empty" | "status" | "stall";
  readonly params?: Readonly<Record<string, number | string>>;
}

/** The router under demonstration. */
export interface DemoRouter {
  /** Where it listens; it asks for no key. */
  readonly url: string;
  /** Null heals the instance. */
  setFault(instance: FleetInstance, model: typeof MODEL, fault: FleetFault | null): void;
  /** Drains, closes and removes the temporary state directory. */
  stop(): Promise<void>;
}

/** Three simulated instances in one pool, behind limits short enough to watch. */
export const FLEET_CONFIG = `
[server]
port = 0

${INSTANCES.map((name) => `[providers.${name}]\ntype = "sim"\nmodels = ["${MODEL}"]\n`).join("\n")}
[pools.demo]
strategy = "priority"
targets = [${INSTANCES.map((name) => `"${name}:${MODEL}?${PARAMS}"`).join(", ")}]

[routing]
default_pool = "demo"
autoprovision = false
discover_local = false
first_byte_timeout = "1500ms"
first_token_timeout = "1500ms"
response_timeout = "2s"

[verifier]
bench = "5s"
clean_to_close = 3

[breaker]
base = "5s"

[log]
level = "silent"
`.trimStart();
