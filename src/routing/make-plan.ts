import type { RouteBlock } from "../address/block.ts";
import { quote } from "../address/spec-fault.ts";
import type { Params } from "../address/target.ts";
import { once } from "../lib/memoize.ts";
import { seededRandom } from "../lib/random.ts";
import type { Dialect } from "../protocol/dialect.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import { arrange, type Arrangement, type ParamsFor } from "./arrange.ts";
import { blockEffort } from "./block-effort.ts";
import { type Destination, NO_NOTES, only, type Refusal, refuse } from "./destination.ts";
import { judge } from "./judge.ts";
import { keepSession, sessionIn } from "./keep-session.ts";
import { locateBare } from "./locate-bare.ts";
import { locateSpec } from "./locate-spec.ts";
import { estimateNeed, type Need } from "./need.ts";
import { hasMembers, layerParams } from "./params.ts";
import { planNotes } from "./plan-notes.ts";
import { type Plan, type RoutePlan, type Scrutiny, USUAL_SCRUTINY } from "./plan.ts";
import { chooseProfile, type NamedProfile } from "./profile.ts";
import { readModel, resolve, resolvePool } from "./resolve.ts";
import { priority } from "./strategies/priority.ts";
import { STRATEGIES } from "./strategies/strategy.ts";
import { unknownName } from "./unknown-name.ts";
import type { FindUntranslatable, RoutingWorld, Scene } from "./world.ts";

export interface PlanRequest {
  /** The body's `model` as it came. */
  readonly model: unknown;
  /** The body's `veriroute` member, read by `readBlock`. */
  readonly block: RouteBlock;
  /** The parsed body, a conversation in its chat form. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly dialect: Dialect;
  /** The body's `models`, which its chat form may lack: models that a gateway may turn to on its own. */
  readonly models?: unknown;
  /** Left out where every target can be told all of it. */
  readonly untranslatable?: FindUntranslatable;
  /** Hash of the session the request belongs to, as `sessionHash` makes it. */
  readonly session: string | null;
  /** The profile of the client's key. */
  readonly key_profile: string | null;
  readonly world: RoutingWorld;
}

const MAX_ASKED = 256;

/**
 * Where a request goes, as a value: pure, so that a preview is the plan the request would get. A plan
 * may have no eligible candidate; the reasons then say why, and it is for the relay to answer.
 * Carrying a plan out, its `effects` must be committed; a preview leaves them.
 */
export function makePlan(request: PlanRequest): Plan {
  const { model, block, dialect, world } = request;
  const wanted = model ?? "auto";
  if (typeof wanted !== "string") {
    return { ...refuse("invalid_request", "`model` must be text", "model"), asked: "" };
  }
  const asked = wanted.slice(0, MAX_ASKED).toWellFormed();
  const chosen = chooseProfile({ block: block.profile, key: request.key_profile }, world);
  if (chosen !== null && "kind" in chosen) return { ...chosen, asked };
  const barriers: Untranslatable[] = [];
  const untranslatable: FindUntranslatable = (wire, target) => {
    const barrier = request.untranslatable?.(wire, target) ?? null;
    if (barrier !== null) barriers.push(barrier);
    return barrier;
  };
  const scene = { world, dialect, untranslatable, profile: chosen };
  const destination = byBlock(block, scene) ?? resolve(wanted, scene);
  if (destination.kind === "refuse") return { ...destination, asked };
  const named = destination.profile;
  const routed = { request, asked, barriers, scene: named ? { ...scene, profile: named } : scene };
  return route(destination, routed);
}

interface Routed {
  readonly request: PlanRequest;
  readonly asked: string;
  /** What stood in the way of telling candidates the request; filled while they are judged. */
  readonly barriers: readonly Untranslatable[];
  readonly scene: Scene;
}

function route(destination: Destination, { request, asked, barriers, scene }: Routed): RoutePlan {
  const { body, block, dialect } = request;
  const { pool } = destination;
  const { world, profile } = scene;
  const need = once(() => estimateNeed(body, dialect));
  const contenders = judge(destination, { scene, body, need, models: request.models });
  const strategy = pool === null ? null : pool.strategy;
  const effort = blockEffort(block, world.lanes, body);
  const session = sessionIn(pool, request.session, world);
  const ordered = arrange(contenders, {
    strategy: strategyOf(pool, world, need),
    has_repeats: destination.has_repeats,
    keep: session?.pin?.candidate ?? null,
    params: paramsOf(profile, effort.params, body),
  });
  const kept = keepSession(ordered, session, { has_turns: pool !== null, now: world.now });
  return {
    kind: "route",
    asked,
    pool: pool === null ? null : pool.name,
    lane: null,
    profile: profile === null ? null : profile.name,
    strategy,
    candidates: kept.candidates,
    notes: destination.notes.concat(
      planNotes({ profile, pool, contenders, need }),
      kept.notes,
      ignoredNotes(block),
      effort.notes,
    ),
    scrutiny: scrutinyOf(profile),
    effects: kept.effects,
    untranslatable: barriers,
  };
}
function scrutinyOf(profile: NamedProfile | null): Scrutiny {
  if (profile === null) return USUAL_SCRUTINY;
  const { verify, hold_back } = profile;
  return { verify, hold_back };
}

/** Orders the eligible of one tier as the pool says. */
function strategyOf(
  pool: Destination["pool"],
  world: RoutingWorld,
  need: () => Need,
): Arrangement["strategy"] {
  if (pool === null) return priority;
  const strategy = STRATEGIES[pool.strategy];
  const ordering = { cursor: world.cursor(pool.name), random: seededRandom(world.seed), need };
  return (tier) => strategy(tier, ordering);
}

/** Parameters of the target under those of the profile and the block, less what the call itself sets. */
function paramsOf(
  profile: NamedProfile | null,
  block: Params | null,
  call: PlanRequest["body"],
): ParamsFor {
  if (profile === null && block === null) {
    const layered = (own: Params) => (hasMembers(own) ? layerParams([own], call) : own);
    return { layered, preferred: null };
  }
  const above = layerParams([profile?.params ?? {}, block ?? {}], call);
  const preferred = hasMembers(above) ? new Set(Object.keys(above)) : null;
  return { layered: (own) => layerParams([own, above], call), preferred };
}

/** What the `veriroute` block asks for, the most specific key first; undefined leaves it to the model. */
function byBlock(block: RouteBlock, scene: Scene): Destination | Refusal | undefined {
  const { target, pool, lane } = block;
  if (target !== undefined) return byTarget(target, scene);
  if (pool !== undefined) return resolvePool(pool, scene, "veriroute.pool");
  if (lane === undefined) return undefined;
  const { lanes } = scene.world;
  return unknownName({ kind: "lane", name: lane, known: lanes, param: "veriroute.lane" });
}

function byTarget(text: string, scene: Scene): Destination | Refusal {
  const param = "veriroute.target";
  const wire = readModel(text, scene.world);
  if (wire.kind === "bare") {
    const found = locateBare(wire.name, scene);
    return found.kind === "refuse" ? { ...found, param } : found;
  }
  if (wire.kind === "spec") {
    const located = locateSpec(wire.spec, scene.world);
    return located.kind === "member"
      ? only(located.member)
      : refuse("model_not_found", located.message, param);
  }
  const why =
    wire.kind === "invalid" ? wire.message : `${quote(text)} is not one; write \`instance:model\``;
  return refuse("invalid_request", `\`veriroute.target\` must name a target: ${why}`, param);
}

/** Keys that had no say, so that nobody wonders why. */
function ignoredNotes(block: RouteBlock): readonly string[] {
  const { target, pool, lane } = block;
  if ((pool ?? lane) === undefined) return NO_NOTES;
  const weaker = target === undefined ? { lane } : { pool, lane };
  const stronger = target === undefined ? "pool" : "target";
  return Object.entries(weaker)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => `\`veriroute.${key}\` is ignored: \`veriroute.${stronger}\` comes first`);
}
