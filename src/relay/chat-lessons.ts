import type { Target } from "../address/target.ts";
import { chatQuirks } from "../catalog/chat-quirks/find-chat-quirks.ts";
import type { Failure } from "../health/failure.ts";
import { objectOf, parseJson } from "../protocol/openai/fields.ts";
import { learnFrom } from "../protocol/shaping/learn.ts";
import type { ChatLesson } from "../protocol/shaping/lesson.ts";
import type { Instance } from "../upstream/instance.ts";
import type { Run } from "./run.ts";

interface Refused {
  readonly run: Pick<Run, "sent">;
  readonly instance: Instance;
  readonly target: Target;
  /** The client named the target itself. */
  readonly pinned: boolean;
}

/** Models that have gone from every plan must not be kept for ever. */
const MAX_LESSONS = 500;

/** What errors of instances' models taught of how they take chat; gone with the instance. */
export function createChatLessons() {
  const lessons = new WeakMap<Instance, Map<string, ChatLesson>>();

  /** Whether the next call to the target will do otherwise. */
  function learn(refusal: Failure, { run, instance, target, pinned }: Refused): boolean {
    if (run.sent?.wire !== "chat") return false;
    const { model } = target;
    const known = lessons.get(instance) ?? new Map<string, ChatLesson>();
    const lesson = learnFrom({
      refusal,
      sent: objectOf(parseJson(new TextDecoder().decode(run.sent.body))),
      quirks: chatQuirks(instance.type, model),
      known: known.get(model),
      pinned,
    });
    if (lesson === null) return false;
    known.delete(model);
    lessons.set(instance, known.set(model, lesson));
    const [oldest] = known.keys();
    if (known.size > MAX_LESSONS && oldest !== undefined) known.delete(oldest);
    return true;
  }

  const on = (instance: Instance, model: string): ChatLesson | undefined =>
    lessons.get(instance)?.get(model);

  return { on, learn };
}
