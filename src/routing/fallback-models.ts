import { hasHosts } from "../catalog/gateway.ts";
import { isAllowed } from "./allowlist.ts";
import type { Member } from "./member.ts";
import type { Need } from "./need.ts";
import type { Reason } from "./plan.ts";
import { excludedBy, layer0, priceProblem } from "./rules.ts";
import type { Scene } from "./world.ts";

interface Terms {
  /** The body's `models`: further models that a gateway may turn to on its own. */
  readonly models: unknown;
  readonly scene: Pick<Scene, "world" | "profile">;
  readonly need: () => Need;
}

/**
 * Adds to `reasons` that a gateway might let a model answer which the allowlist or the profile keeps
 * out: it is told the body's own list.
 */
export function addFallbackReasons(reasons: Reason[], member: Member, terms: Terms): void {
  const { instance } = member;
  if (instance === null || !hasHosts(instance.type)) return;
  for (const model of namesIn(terms.models)) {
    const reason = reasonAgainst(model, member, terms);
    if (reason === null) continue;
    reasons.push(reason);
    return;
  }
}

/** What is no name nobody can judge. */
function namesIn(models: unknown): readonly (string | null)[] {
  const list: readonly unknown[] = Array.isArray(models) ? models : [models];
  return list.map((name) => (typeof name === "string" && NAME.test(name) ? name : null));
}

/** Reasons are recorded, so that a text in place of a name must not be repeated in one. */
const NAME = /^[\w.:/@~-]{1,128}$/;

function reasonAgainst(
  model: string | null,
  { instance, target }: Member,
  { scene: { world, profile }, need }: Terms,
): Reason | null {
  if (instance === null) return null;
  const { allowlist } = world;
  const named = model === null ? "`models` holds what is no name" : `\`models\` has \`${model}\``;
  if (allowlist !== null && (model === null || !isAllowed(allowlist, instance, model))) {
    return layer0("not_allowed", `${named}, which is not on the allowlist`);
  }
  if (profile === null || profile.allow.max_price === null) return null;
  const told = { instance: target.instance, model: model ?? "", params: {} };
  const problem = priceProblem(world.signals(told).card, profile, need);
  return problem === null ? null : excludedBy(profile, `${problem}: ${named}`);
}
