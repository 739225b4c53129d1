import type { Target } from "../address/target.ts";
import type { ClaudeVerdict } from "../protocol/anthropic/request/claude-facts.ts";
import { claudeFacts } from "../protocol/anthropic/request/claude-models.ts";
import { dropThinking, fitMessages } from "../protocol/anthropic/request/fit.ts";
import { withVerdict } from "../protocol/anthropic/request/flip.ts";
import type { Dialect } from "../protocol/dialect.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import type { Shaping } from "../protocol/openai/outgoing.ts";
import { dropReasoning } from "../protocol/responses/drop-reasoning.ts";
import type { ResponsesLesson } from "../protocol/shaping/responses-lesson.ts";
import { shapeForResponses } from "../protocol/shaping/shape-responses.ts";
import type { Instance } from "../upstream/instance.ts";
import { knownQuirks } from "./known-quirks.ts";
import { lossEdits } from "./loss-edits.ts";

/** Whom a body is shaped for, and what is known of it. */
export interface ShapedFor {
  readonly wire: Dialect;
  readonly instance: Instance;
  readonly target: Target;
  /** The client named this target itself: there is nobody else who might take what it does not. */
  readonly pinned: boolean;
  /** What was thought in earlier turns was another model's. */
  readonly drops_thinking: boolean;
  /** What the model's own answers taught of it. */
  readonly verdict: ClaudeVerdict | undefined;
  /** The same of how an instance's model takes Responses. */
  readonly lesson: ResponsesLesson | undefined;
}

const UNSHAPED: Shaping = { set: {}, remove: [], edits: [] };

/**
 * What of a body in its target's own dialect, parameters of specs and profiles included, must differ for
 * this target. It is asked for every attempt, before the body is spliced or written. `has_effort`: the
 * effort is such a parameter.
 */
export function shape(body: JsonObject, to: ShapedFor, has_effort: boolean): Shaping {
  if (to.wire === "messages") return shapeMessages(body, to, has_effort);
  return to.wire === "responses" ? shapeResponses(body, to, has_effort) : UNSHAPED;
}

/**
 * What was thought in earlier turns is sealed by the vendor that was asked then; what this router packed
 * for targets of other dialects no vendor can open.
 */
function shapeResponses(body: JsonObject, to: ShapedFor, has_effort: boolean): Shaping {
  const { instance, target, pinned, lesson, drops_thinking } = to;
  const kept = dropReasoning(body["input"], drops_thinking ? "all" : "packed");
  const history = kept === null ? UNSHAPED : shaping({ input: kept }, ["input"]);
  if (pinned && lesson === undefined && !has_effort) return history;
  const quirks = knownQuirks(instance, target.model);
  const settings = shapeForResponses(body, { quirks, lesson, pinned, has_effort });
  if (settings === null) return history;
  return {
    set: { ...history.set, ...settings.set },
    remove: settings.remove,
    edits: [
      ...history.edits,
      ...lossEdits(settings.lossy),
      ...settings.edits.map((path) => `shaped:${path}`),
    ],
  };
}

function shapeMessages(body: JsonObject, to: ShapedFor, has_effort: boolean): Shaping {
  const { pinned, verdict, drops_thinking, target } = to;
  const own = drops_thinking ? dropThinking(body) : { body, changed: [] };
  // Who names a model knows what it takes, until the model says otherwise.
  const isTrusted = pinned && verdict === undefined;
  if (!/claude/i.test(target.model) || (isTrusted && !has_effort)) {
    return shaping(own.body, own.changed);
  }
  const { body: fitted, changed } = fitMessages(
    own.body,
    withVerdict(claudeFacts(target.model), verdict),
  );
  const fits = isTrusted ? changed.filter((name) => OF_EFFORT.has(name)) : changed;
  return shaping(fitted, [...new Set([...own.changed, ...fits])]);
}

const OF_EFFORT: ReadonlySet<string> = new Set(["thinking", "output_config"]);

function shaping(body: JsonObject, changed: readonly string[]): Shaping {
  if (changed.length === 0) return UNSHAPED;
  const kept = changed.filter((name) => body[name] !== undefined);
  return {
    set: Object.fromEntries(kept.map((name) => [name, body[name]])),
    remove: changed.filter((name) => body[name] === undefined),
    edits: changed.map((name) => `fitted:${name}`),
  };
}
