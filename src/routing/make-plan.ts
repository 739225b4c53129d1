import type { RouteBlock } from "../address/block.ts";
import { quote } from "../address/spec-fault.ts";
import { arrange } from "./arrange.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { judge } from "./judge.ts";
import { locateBare } from "./locate-bare.ts";
import { locateSpec } from "./locate-spec.ts";
import type { Plan } from "./plan.ts";
import { readModel, resolve, resolvePool, unknownName } from "./resolve.ts";
import { STRATEGIES } from "./strategies/strategy.ts";
import type { Dialect, RoutingWorld, Scene } from "./world.ts";

export interface PlanRequest {
  /** The body's `model` as it came. */
  readonly model: unknown;
  /** The body's `veriroute` member, read by `readBlock`. */
  readonly block: RouteBlock;
  readonly dialect: Dialect;
  readonly world: RoutingWorld;
}

const MAX_ASKED = 256;

/**
 * Where a request goes, as a value: pure, so that a preview is the plan the request would get. A plan
 * may have no eligible candidate; the reasons then say why, and it is for the relay to answer.
 */
export function makePlan({ model, block, dialect, world }: PlanRequest): Plan {
  const wanted = model ?? "auto";
  if (typeof wanted !== "string") {
    return { ...refuse("invalid_request", "`model` must be text", "model"), asked: "" };
  }
  const scene = { world, dialect };
  const asked = wanted.slice(0, MAX_ASKED).toWellFormed();
  const destination = byBlock(block, scene) ?? resolve(wanted, scene);
  if (destination.kind === "refuse") return { ...destination, asked };
  const { pool, strategy, notes } = destination;
  return {
    kind: "route",
    asked,
    pool,
    lane: null,
    profile: null,
    strategy,
    candidates: arrange(judge(destination, scene), STRATEGIES[strategy ?? "priority"]),
    notes: [...notes, ...ignoredNotes(block)],
  };
}

/** What the `veriroute` block asks for, the most specific key first; undefined leaves it to the model. */
function byBlock(block: RouteBlock, scene: Scene): Destination | Refusal | undefined {
  const { target, pool, lane, profile: name } = block;
  const { lanes, profiles } = scene.world;
  if (name !== undefined) {
    return unknownName({ kind: "profile", name, known: profiles, param: "veriroute.profile" });
  }
  if (target !== undefined) return byTarget(target, scene);
  if (pool !== undefined) return resolvePool(pool, scene, "veriroute.pool");
  if (lane === undefined) return undefined;
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
function ignoredNotes({ target, pool, lane, complexity, effort }: RouteBlock): string[] {
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
