import type { Target } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import type { ClaudeVerdict } from "../protocol/anthropic/request/claude-facts.ts";
import { flipOn400 } from "../protocol/anthropic/request/flip.ts";
import { type Dialect, wireFor } from "../protocol/dialect.ts";
import type { ChatLesson } from "../protocol/shaping/lesson.ts";
import type { ResponsesLesson } from "../protocol/shaping/responses-lesson.ts";
import type { Instance } from "../upstream/instance.ts";
import { createChatLessons, sentBody } from "./chat-lessons.ts";
import { createResponsesLessons } from "./responses-lessons.ts";
import type { Run } from "./run.ts";

/**
 * What instances and models turned out not to take although their type does. What is known of an
 * instance is forgotten with it, as after a reload that changes it.
 */
export interface LearnedQuirks {
  /** Whether usage may be asked for in a stream. */
  takesStreamOptions(instance: Instance): boolean;
  /** The dialect in which an instance is sent a request; null if there is none. */
  wireOf(dialect: Dialect, instance: Instance): Dialect | null;
  /** What a model's own 400 taught of it. */
  verdictOn(model: string): ClaudeVerdict | undefined;
  /** What errors of an instance's model taught of how it takes chat. */
  lessonOn(instance: Instance, model: string): ChatLesson | undefined;
  /** The same of how it takes Responses. */
  responsesLessonOn(instance: Instance, model: string): ResponsesLesson | undefined;
  /**
   * Whether a failure is about something that the next call to the same target does otherwise, so
   * that neither it nor the client is to blame.
   */
  learn(failure: Failure, call: LearnedFrom): boolean;
}

interface LearnedFrom {
  readonly run: Pick<Run, "stream" | "request" | "sent" | "foreign_thinking">;
  readonly instance: Instance;
  readonly target: Target;
  /** The client named the target itself. */
  readonly pinned: boolean;
}

/** Models that have gone from every plan must not be kept for ever. */
const MAX_VERDICTS = 500;

export function createLearnedQuirks(): LearnedQuirks {
  const refusing = new WeakSet<Instance>();
  const missing = new WeakMap<Instance, Set<Dialect>>();
  const verdicts = new Map<string, ClaudeVerdict>();
  const lessons = createChatLessons();
  const ofResponses = createResponsesLessons();
  const forms = [learnForeign, learnForm, lessons.learn, ofResponses.learn];

  function wireOf(dialect: Dialect, instance: Instance): Dialect | null {
    const { paths } = instance.type;
    const gone = missing.get(instance);
    if (!gone) return wireFor(dialect, paths);
    const left = { ...paths, ...Object.fromEntries([...gone].map((wire) => [wire, null])) };
    // With no other way left its own answer says more than ours could.
    return wireFor(dialect, left) ?? wireFor(dialect, paths);
  }

  function learnPath(failure: Failure, { run, instance }: LearnedFrom): boolean {
    const wire = run.sent?.wire;
    if ((wire !== "messages" && wire !== "responses") || !isNoSuchPath(failure)) return false;
    const gone = missing.get(instance) ?? new Set<Dialect>();
    missing.set(instance, gone.add(wire));
    return wireOf(run.request.dialect, instance) !== wire;
  }

  function learnForm({ status, message }: Failure, { run, target }: LearnedFrom): boolean {
    const { sent } = run;
    if (status !== 400 || message === null || sent?.wire !== "messages") return false;
    const verdict = flipOn400(message, sentBody(sent));
    if (verdict === null) return false;
    const known = { ...verdicts.get(target.model), ...verdict };
    verdicts.delete(target.model);
    verdicts.set(target.model, known);
    const [oldest] = verdicts.keys();
    if (verdicts.size > MAX_VERDICTS && oldest !== undefined) verdicts.delete(oldest);
    return true;
  }

  function learnStreamOptions(failure: Failure, { run, instance }: LearnedFrom): boolean {
    const { dialect, parsed } = run.request;
    // Not whether it is added now: of several requests at once each was refused for it.
    const isAdded = run.stream && instance.type.quirks.stream_options;
    const isClients = run.sent?.wire === dialect && Object.hasOwn(parsed, "stream_options");
    if (!isAdded || isClients) return false;
    if (!namesStreamOptions(failure)) return false;
    refusing.add(instance);
    return true;
  }

  return {
    takesStreamOptions: (instance) =>
      instance.type.quirks.stream_options && !refusing.has(instance),
    wireOf,
    verdictOn: (model) => verdicts.get(model),
    lessonOn: lessons.on,
    responsesLessonOn: ofResponses.on,
    learn: (failure, call) =>
      [learnStreamOptions, learnPath, ...forms].some((one) => one(failure, call)),
  };
}

/** Remembered for the request alone: another conversation may well be the model's own. */
function learnForeign(failure: Failure, { run, target }: LearnedFrom): boolean {
  const isKnown = run.foreign_thinking.has(target.model);
  if (failure.status !== 400 || isKnown || !isForeignThinking(failure)) return false;
  run.foreign_thinking.add(target.model);
  return true;
}

function namesStreamOptions({ kind, message, param }: Failure): boolean {
  if (kind !== "unsupported_param" && kind !== "bad_request") return false;
  return `${param} ${message}`.includes("stream_options");
}

const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

/** A server without the path, not without the model: those name it. */
function isNoSuchPath({ status, message }: Failure): boolean {
  return status !== null && NO_SUCH_PATH.has(status) && !/model/i.test(message ?? "");
}

const SEALED: readonly RegExp[] = [
  // Google's words for its own.
  /thought.?signature/i,
  /signature.{0,80}thinking|thinking.{0,80}signature/i,
  /thinking.{0,40}blocks?.{0,80}(cannot be modified|must remain)/i,
  /invalid_encrypted_content|encrypted content.{0,80}(could not be|cannot be|not be) (verified|decrypted)/i,
];

/** What was thought before is not signed by this model, or not for this conversation. */
function isForeignThinking({ message, vendor_code }: Failure): boolean {
  const told = `${vendor_code} ${message}`;
  return SEALED.some((words) => words.test(told));
}
