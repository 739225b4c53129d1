import { parseSpec } from "../../../src/address/spec.ts";
import type { Spec } from "../../../src/address/target.ts";
import type { ProviderType } from "../../../src/catalog/provider-type.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import { makePlan, type PlanRequest } from "../../../src/routing/make-plan.ts";
import type { Candidate, Plan, RoutePlan } from "../../../src/routing/plan.ts";
import { NO_SIGNALS } from "../../../src/routing/signals.ts";
import type { RoutingWorld, WorldInstance, WorldPool } from "../../../src/routing/world.ts";

function typeOf(id: string): ProviderType {
  const type = providerType(id);
  if (type === undefined) throw new Error(`no provider type ${id}`);
  return type;
}

/** An instance whose models are unknown unless `models` lists what its upstream says. */
export function anInstance(
  name: string,
  {
    type = name,
    models,
    ...more
  }: Partial<Omit<WorldInstance, "type" | "models">> & {
    type?: string;
    models?: string[];
  } = {},
): WorldInstance {
  return {
    name,
    type: typeOf(type),
    source: "config",
    models:
      models === undefined ? { from: "unknown", names: [] } : { from: "listing", names: models },
    default_model: null,
    problem: null,
    ...more,
  };
}

export const SIM = anInstance("sim", {
  source: "builtin",
  models: ["echo", "empty"],
  default_model: "echo",
});

function aSpec(text: string): Spec {
  const parsed = parseSpec(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.spec;
}

type PoolParts = string[] | (Partial<Omit<WorldPool, "members">> & { members: string[] });

function aPool(parts: PoolParts): WorldPool {
  const { members, ...more } = Array.isArray(parts) ? { members: parts } : parts;
  return { strategy: "priority", affinity: "session", ...more, members: members.map(aSpec) };
}

type WorldParts = Partial<Omit<RoutingWorld, "pools">> & { pools?: Record<string, PoolParts> };

/** A world of these instances and the simulator, everything healthy. */
export function aWorld({ pools = {}, instances = [], ...more }: WorldParts = {}): RoutingWorld {
  return {
    now: 0,
    seed: 1,
    instances: [...instances, SIM],
    lanes: [],
    profiles: new Map(),
    default_profile: null,
    aliases: {},
    allowlist: null,
    signals: () => NO_SIGNALS,
    cursor: () => 0,
    pin: () => null,
    default_pool: null,
    absence: (type) => ({ code: "missing_credential", message: `set ${type.env.join(" or ")}` }),
    eligibility: () => [],
    pools: new Map(Object.entries(pools).map(([name, parts]) => [name, aPool(parts)])),
    ...more,
  };
}

export function planFor(
  model: unknown,
  world: RoutingWorld,
  more: Partial<Omit<PlanRequest, "model" | "world">> = {},
): Plan {
  const plain = { block: {}, body: {}, session: null, key_profile: null } as const;
  return makePlan({ ...plain, dialect: "chat", ...more, model, world });
}

/** The plan of a request that must not be refused. */
export function routeFor(...request: Parameters<typeof planFor>): RoutePlan {
  const plan = planFor(...request);
  if (plan.kind === "refuse") throw new Error(plan.message);
  return plan;
}

/** Keys in plan order, each followed by the codes that keep it out; or the refusal's code. */
export function outline(plan: Plan): string[] {
  if (plan.kind === "refuse") return [`refused: ${plan.code}`];
  return plan.candidates.map(({ target, reasons }: Candidate) =>
    [target, ...reasons.map(({ code }) => code)].join(" "),
  );
}
