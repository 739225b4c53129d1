import { quote } from "../address/spec-fault.ts";
import { demandsOf, isStream } from "./demands.ts";
import type { Destination } from "./destination.ts";
import { addFallbackReasons } from "./fallback-models.ts";
import type { Contender, Member } from "./member.ts";
import { type Need, neededWindow } from "./need.ts";
import type { Reason } from "./plan.ts";
import { addCardReasons, addRuleReasons, addStandingReasons } from "./rules.ts";
import { NO_SIGNALS } from "./signals.ts";
import { windowReason } from "./window.ts";
import type { RoutingWorld, Scene } from "./world.ts";

/** What of a request its contenders are judged by. */
export interface Judged {
  readonly scene: Scene;
  readonly body: Readonly<Record<string, unknown>>;
  readonly need: () => Need;
  /** The body's `models` in whichever dialect it came; undefined in most. */
  readonly models: unknown;
}

/** The members of a destination with every reason why one may not serve this request, by layer. */
export function judge(destination: Destination, judged: Judged): readonly Contender[] {
  const contenders = judgeStanding(destination, judged);
  // Whoever addresses one target has it judged by its own upstream: there is nowhere to skip to.
  if (destination.pool === null) return contenders;
  return judgeWindows(contenders, judged.need);
}

/** Shared by all that are free of reasons; frozen, since it goes out with every plan. */
const NONE: Reason[] = [];
Object.freeze(NONE);

/** Everything but windows. */
function judgeStanding(
  { members, pool }: Destination,
  { scene, body, need, models }: Judged,
): readonly Contender[] {
  const { world, dialect, profile } = scene;
  const demands = demandsOf(body, dialect);
  const call = { pinned: pool === null, stream: isStream(body, dialect) };
  const [first] = members;
  const found: Reason[] = [];
  return members.map((member) => {
    const { instance, target } = member;
    if (found.length > 0) found.length = 0;
    addStandingReasons(found, member, world);
    addRuleReasons(found, member, scene);
    if (isGiven(models)) addFallbackReasons(found, member, { models, scene, need });
    if (dialect === "embeddings" && first !== undefined) addEmbeddingReason(found, member, first);
    if (instance === null) return { member, reasons: settled(found), signals: NO_SIGNALS };
    const against = world.eligibility(target, call);
    if (against.length > 0) found.push(...against);
    const signals = world.signals(target);
    addCardReasons(found, signals.card, { profile, demands, need });
    return { member, reasons: settled(found), signals };
  });
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The reasons against a target whatever the request is, by layer: where it stands, and its health. */
export function standingOf(member: Member, world: RoutingWorld): readonly Reason[] {
  const found: Reason[] = [];
  addStandingReasons(found, member, world);
  if (member.instance !== null) found.push(...world.eligibility(member.target, ANY_CALL));
  return settled(found);
}

const ANY_CALL = { pinned: false, stream: false };

/** By layer, the firmest first. */
function settled(found: readonly Reason[]): Reason[] {
  if (found.length === 0) return NONE;
  return found.length === 1 ? [...found] : found.toSorted((a, b) => a.layer - b.layer);
}

/** Vectors of different models cannot be compared, so the first declared member fixes the model. */
function addEmbeddingReason(reasons: Reason[], { target }: Member, first: Member): void {
  const wanted = withoutVendor(first.target.model);
  if (withoutVendor(target.model) === wanted) return;
  const detail = `its vectors could not be compared with those of ${quote(wanted)}`;
  reasons.push({ layer: 0, code: "embedding_model_differs", detail, until_at: null });
}

/** `openai/text-embedding-3-small` and `accounts/x/models/y` without what stands before the last slash. */
function withoutVendor(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}

/**
 * Leaves out whose window is known to be too small. The cap a client sets on its answer counts, but
 * not to the point that nobody is left: many set one far above what they get.
 */
function judgeWindows(
  contenders: readonly Contender[],
  need: Judged["need"],
): readonly Contender[] {
  if (contenders.every(({ signals }) => signals.card.window_tokens === null)) return contenders;
  const size = need();
  const judged = withWindows(contenders, neededWindow(size));
  if (judged.some(isOpen) || !contenders.some(isOpen)) return judged;
  return withWindows(contenders, size.input_tokens);
}

function isOpen({ reasons }: Contender): boolean {
  return reasons.length === 0;
}

function withWindows(contenders: readonly Contender[], needed: number): readonly Contender[] {
  return contenders.map((contender) => {
    const reason = windowReason(contender.signals.card.window_tokens, needed);
    return reason === null ? contender : { ...contender, reasons: [...contender.reasons, reason] };
  });
}
