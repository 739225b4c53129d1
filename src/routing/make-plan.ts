import type { RouteBlock } from "../address/block.ts";
import { quote } from "../address/spec-fault.ts";
import type { Params } from "../address/target.ts";
import { once } from "../lib/memoize.ts";
import { seededRandom } from "../lib/random.ts";
import type { Dialect } from "../protocol/dialect.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import { arrange } from "./arrange.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { judge } from "./judge.ts";
import { keepSession, sessionIn } from "./keep-session.ts";
import { locateBare } from "./locate-bare.ts";
import { locateSpec } from "./locate-spec.ts";
import { estimateNeed, type Need } from "./need.ts";
import { layerParams } from "./params.ts";
import { planNotes } from "./plan-notes.ts";
import { type Plan, type RoutePlan, type Scrutiny, USUAL_SCRUTINY } from "./plan.ts";
import { chooseProfile, type NamedProfile } from "./profile.ts";
import { readModel, resolve, resolvePool } from "./resolve.ts";
import { type Ordering, STRATEGIES } from "./strategies/strategy.ts";
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
  const profile = destination.profile ?? chosen;
  const routed = route(destination, { request, scene: { ...scene, profile } });
  return { ...routed, untranslatable: barriers, asked };
}

interface Routed {
  readonly request: PlanRequest;
  readonly scene: Scene;
}

function route(
  destination: Destination,
  { request, scene }: Routed,
): Omit<RoutePlan, "asked" | "untranslatable"> {
  const { body, block, dialect } = request;
  const { pool, notes, has_repeats } = destination;
  const { world, profile } = scene;
  const need = once(() => estimateNeed(body, dialect));
  const contenders = judge(destination, { scene, body, need });
  const chosen = pool === null ? UNPOOLED : { pool: pool.name, strategy: pool.strategy };
  const strategy = STRATEGIES[chosen.strategy ?? "priority"];
  const ordering = orderingOf(chosen.pool, world, need);
  const session = sessionIn(pool, request.session, world);
  const ordered = arrange(contenders, {
    strategy: (tier) => strategy(tier, ordering),
    has_repeats,
    keep: session?.pin?.candidate ?? null,
    params: paramsOf(profile, body),
  });
  const kept = keepSession(ordered, session, { has_turns: pool !== null, now: world.now });
  return {
    kind: "route",
    ...chosen,
    lane: null,
    profile: profile?.name ?? null,
    candidates: kept.candidates,
    notes: [
      ...notes,
      ...planNotes({ profile, pool, contenders, need }),
      ...kept.notes,
      ...ignoredNotes(block),
    ],
    scrutiny: scrutinyOf(profile),
    effects: kept.effects,
  };
}

function scrutinyOf(profile: NamedProfile | null): Scrutiny {
  if (profile === null) return USUAL_SCRUTINY;
  const { verify, hold_back } = profile;
  return { verify, hold_back };
}

const UNPOOLED = { pool: null, strategy: null };

function orderingOf(
  pool: string | null,
  { seed, cursor }: RoutingWorld,
  need: () => Need,
): Ordering {
  return { cursor: pool === null ? 0 : cursor(pool), random: seededRandom(seed), need };
}

/** Parameters of the target under those of the profile, less what the call itself sets. */
function paramsOf(profile: NamedProfile | null, call: PlanRequest["body"]) {
  if (profile === null) return (own: Params) => own;
  return (own: Params) => layerParams([own, profile.params], call);
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
function ignoredNotes(block: RouteBlock): string[] {
  if (Object.keys(block).length === 0) return [];
  const { target, pool, lane, complexity, effort } = block;
  const weaker = target === undefined ? { lane } : { pool, lane };
  const stronger = target === undefined ? "pool" : "target";
  const beaten = Object.entries(weaker)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => `\`veriroute.${key}\` is ignored: \`veriroute.${stronger}\` comes first`);
  const idle = Object.entries({ complexity, effort })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => `\`veriroute.${key}\` has no effect: no lane is configured that reads it`);
  return [...beaten, ...idle];
}
