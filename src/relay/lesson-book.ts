import type { Instance } from "../upstream/instance.ts";

/** What was learned of the models of instances. It goes with the instance. */
export interface LessonBook<Lesson> {
  readonly on: (instance: Instance, model: string) => Lesson | undefined;
  readonly put: (instance: Instance, model: string, lesson: Lesson) => void;
}

/** Models that have gone from every plan must not be kept for ever. */
const MAX_LESSONS = 500;

export function createLessonBook<Lesson>(): LessonBook<Lesson> {
  const lessons = new WeakMap<Instance, Map<string, Lesson>>();
  return {
    on: (instance, model) => lessons.get(instance)?.get(model),
    put(instance, model, lesson) {
      const known = lessons.get(instance) ?? new Map<string, Lesson>();
      known.delete(model);
      lessons.set(instance, known.set(model, lesson));
      const [oldest] = known.keys();
      if (known.size > MAX_LESSONS && oldest !== undefined) known.delete(oldest);
    },
  };
}
