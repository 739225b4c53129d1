import { parseSpec } from "../../../src/address/spec.ts";
import type { Spec } from "../../../src/address/target.ts";
import type { ProviderType } from "../../../src/catalog/provider-type.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import { makePlan, type PlanRequest } from "../../../src/routing/make-plan.ts";
import type { Candidate, Plan } from "../../../src/routing/plan.ts";
import type { RoutingWorld, WorldInstance } from "../../../src/routing/world.ts";

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

type WorldParts = Partial<Omit<RoutingWorld, "pools">> & { pools?: Record<string, string[]> };

/** A world of these instances and the simulator, everything healthy. */
export function aWorld({ pools = {}, instances = [], ...more }: WorldParts = {}): RoutingWorld {
  return {
    instances: [...instances, SIM],
    lanes: [],
    profiles: [],
    aliases: {},
    default_pool: null,
    absence: (type) => ({ code: "missing_credential", message: `set ${type.env.join(" or ")}` }),
    eligibility: () => [],
    pools: new Map(
      Object.entries(pools).map(([name, members]) => [
        name,
        { strategy: "priority", members: members.map(aSpec) },
      ]),
    ),
    ...more,
  };
}

export function planFor(
  model: unknown,
  world: RoutingWorld,
  more: Partial<Pick<PlanRequest, "block" | "dialect">> = {},
): Plan {
  return makePlan({ model, block: {}, dialect: "chat", world, ...more });
}

/** Keys in plan order, each followed by the codes that keep it out; or the refusal's code. */
export function outline(plan: Plan): string[] {
  if (plan.kind === "refuse") return [`refused: ${plan.code}`];
  return plan.candidates.map(({ target, reasons }: Candidate) =>
    [target, ...reasons.map(({ code }) => code)].join(" "),
  );
}
