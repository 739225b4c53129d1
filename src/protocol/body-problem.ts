import type { JsonObject } from "./openai/fields.ts";

export interface BodyProblem {
  /** The member that is wrong, such as `messages[0].role`; null for the body itself. */
  readonly param: string | null;
  /** What it must be, as a sentence; never what it is. */
  readonly message: string;
}

/** Members of one form, and what that is in words. */
export type Forms = Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>;

export function problem(param: string | null, message: string): BodyProblem {
  return { param, message };
}

/** The first member of another form; all may be left out or null. */
export function checkForms(body: JsonObject, forms: Forms): BodyProblem | null {
  for (const [name, [fits, wanted]] of Object.entries(forms)) {
    const value = body[name];
    if (value === undefined || value === null || fits(value)) continue;
    return problem(name, `\`${name}\` must be ${wanted}.`);
  }
  return null;
}
