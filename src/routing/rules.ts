import { quote } from "../address/spec-fault.ts";
import type { ModelCard, Price } from "../catalog/model-card.ts";
import { isTalk, wireFor } from "../protocol/dialect.ts";
import { isAllowed } from "./allowlist.ts";
import type { Demand } from "./demands.ts";
import type { Member } from "./member.ts";
import type { Need } from "./need.ts";
import type { Reason } from "./plan.ts";
import type { NamedProfile } from "./profile.ts";
import type { RoutingWorld, Scene, WorldInstance } from "./world.ts";

/** Layer 0: what the operator, the profile or the kind of request rules out, whatever the health. */
export const layer0 = (code: string, detail: string): Reason => ({
  layer: 0,
  code,
  detail,
  until_at: null,
});

/** Adds to `reasons` what keeps a target from serving any request: that it leads nowhere, or the allowlist. */
export function addStandingReasons(
  reasons: Reason[],
  { instance, target, reasons: known }: Member,
  { allowlist }: Pick<RoutingWorld, "allowlist">,
): void {
  for (const reason of known) reasons.push(reason);
  if (instance === null) return;
  const { problem } = instance;
  if (problem !== null) {
    reasons.push({ layer: 4, code: problem.code, detail: problem.message, until_at: null });
  }
  if (allowlist !== null && !isAllowed(allowlist, instance, target.model)) {
    reasons.push(layer0("not_allowed", "it is not on the allowlist"));
  }
}

/** Adds to `reasons` why this request may not use a member that others may use, health aside. */
export function addRuleReasons(
  reasons: Reason[],
  { instance, target }: Member,
  scene: Pick<Scene, "profile" | "dialect" | "untranslatable">,
): void {
  if (instance === null) return;
  const { profile } = scene;
  const problem = dialectProblem(instance, target.model, scene);
  if (problem !== null) reasons.push(layer0(DIALECT_UNSUPPORTED, problem));
  if (profile !== null && !hasProvider(profile, instance)) {
    const allowed = profile.allow.providers?.map(quote).join(", ");
    reasons.push(excludedBy(profile, `allows only ${allowed}`));
  }
}

export const DIALECT_UNSUPPORTED = "dialect_unsupported";

/** Why a request cannot be put into words for a target; null if it can. */
function dialectProblem(
  { type }: WorldInstance,
  model: string,
  { dialect, untranslatable }: Pick<Scene, "dialect" | "untranslatable">,
): string | null {
  // Most are asked in their own words.
  if (type.paths[dialect] !== null) return null;
  const wire = wireFor(dialect, type.paths);
  if (wire === null) return `${type.name} has no endpoint for ${dialect}`;
  if (!isTalk(wire)) return null;
  return untranslatable(wire, model)?.message ?? null;
}

interface Terms {
  readonly profile: NamedProfile | null;
  readonly demands: readonly Demand[];
  readonly need: () => Need;
}

/** Adds to `reasons` what the model's card says against it. What a card does not say is no reason. */
export function addCardReasons(reasons: Reason[], card: ModelCard, terms: Terms): void {
  const { profile, demands, need } = terms;
  for (const demand of demands) {
    if (card.capabilities[demand] !== false) continue;
    reasons.push(layer0(`capability:${demand}`, WITHOUT[demand]));
  }
  const problem = profile === null ? null : priceProblem(card, profile, need);
  if (profile !== null && problem !== null) reasons.push(excludedBy(profile, problem));
}

/** Why a model is too dear for a profile; null if it is not. */
export function priceProblem(
  { price }: Pick<ModelCard, "price">,
  { allow: { max_price: limit } }: NamedProfile,
  need: () => Need,
): string | null {
  if (limit === null) return null;
  const dearest = highestPrice(price, need);
  // A limit is a promise, so a price nobody knows is over it.
  if (dearest !== null && dearest <= limit) return null;
  const costs = dearest === null ? "its price is not known" : `it costs $${dearest}`;
  return `allows $${limit} per million tokens at most, and ${costs}`;
}

const WITHOUT: Readonly<Record<Demand, string>> = {
  tools: "the model takes no tools",
  vision: "the model takes no images",
  json: "the model has no JSON mode",
};

/** The higher of the prices of input and output for a prompt of this size; null if one is not known. */
function highestPrice(price: Price, need: () => Need): number | null {
  const { long_prompt: long } = price;
  const { input_usd, output_usd } = long && need().input_tokens > long.above_tokens ? long : price;
  return input_usd === null || output_usd === null ? null : Math.max(input_usd, output_usd);
}

export function excludedBy({ name }: NamedProfile, why: string): Reason {
  return layer0("profile_excluded", `profile ${quote(name)} ${why}`);
}

function hasProvider({ allow }: NamedProfile, { name, type }: WorldInstance): boolean {
  return (
    allow.providers === null ||
    allow.providers.some((one) => {
      const folded = one.toLowerCase();
      return folded === name.toLowerCase() || folded === type.id;
    })
  );
}

/** Whether allowlist and profile let an instance serve a model, so that a look-up can prefer it. */
export function isPermitted(instance: WorldInstance, model: string, scene: Scene): boolean {
  const { world, profile } = scene;
  if (profile !== null && !hasProvider(profile, instance)) return false;
  return world.allowlist === null || isAllowed(world.allowlist, instance, model);
}
