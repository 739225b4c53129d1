import type { JsonObject } from "../openai/fields.ts";
import type { Untranslatable } from "../translate/translation.ts";
import { type Change, createChange } from "./changes.ts";
import { shapeEffort } from "./effort.ts";
import { ShapingFindings } from "./findings.ts";
import type { ChatQuirks } from "./quirks.ts";
import { shapeMembers } from "./shape-members.ts";
import { shapeMessages } from "./shape-messages.ts";

interface ChatShaping {
  /** The request in its chat form. */
  readonly parsed: JsonObject;
  /** What the target's spec asks for where the client did not, in the words of chat. */
  readonly params: JsonObject;
  /** Names of params that a profile added: those are left out rather than refused. */
  readonly preferred?: ReadonlySet<string> | undefined;
  readonly quirks: ChatQuirks;
  /** The client named the target itself. */
  readonly pinned: boolean;
  /** What earlier turns show was thought by another model. */
  readonly is_foreign: boolean;
}

export interface ShapedChat {
  /** The smallest change of the body; see `applyChanges`. */
  readonly change: Change;
  /** The params as this vendor spells them; those it does not take are left out. */
  readonly params: JsonObject;
  /** Members that are put otherwise without loss, by path such as `messages.role`. */
  readonly edits: readonly string[];
  /** Members that are left out or do nothing, by path. */
  readonly lossy: readonly string[];
  /** Why the target is not to be asked at all; empty if it may. */
  readonly refused: readonly Untranslatable[];
}

/** What most requests come to: shared, and never written to. */
const AS_SENT: ShapedChat = {
  change: createChange(),
  params: {},
  edits: [],
  lossy: [],
  refused: [],
};

/**
 * What of a chat request must differ for one vendor's model. Nothing that the vendor takes is touched,
 * nor what nobody knows: an error of the vendor's own then teaches (see `lessonOf`).
 */
export function shapeChat(shaping: ChatShaping): ShapedChat {
  const { parsed, params, preferred, quirks, pinned } = shaping;
  const findings = new ShapingFindings();
  const hasParams = Object.keys(params).length > 0;
  const members = {
    body: hasParams ? { ...params, ...parsed } : parsed,
    quirks,
    pinned,
    preferred,
  };
  shapeMembers(members, findings);
  shapeEffort(members, findings);
  shapeMessages(shaping, findings);
  if (findings.areNone()) return hasParams ? { ...AS_SENT, params } : AS_SENT;
  return {
    change: findings.change,
    params: shapedParams(params, findings.change),
    edits: findings.noted(),
    lossy: findings.lost(),
    refused: findings.refused(),
  };
}

/** What is set anyway is no longer a param. */
function shapedParams(params: JsonObject, { set, remove, rename }: Change): JsonObject {
  const left = Object.entries(params).filter(([name]) => !set.has(name) && !remove.has(name));
  return Object.fromEntries(left.map(([name, value]) => [rename.get(name) ?? name, value]));
}
