import type { Target } from "../address/target.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";

/** What the target's spec asks for where the client did not, in the words of chat. */
export function chatParams(own: JsonObject, { params }: Target): JsonObject {
  if (Object.keys(params).length === 0) return params;
  const { effort, ...rest } = params;
  const renamed = effort === undefined ? rest : { ...rest, reasoning_effort: effort };
  return Object.fromEntries(Object.entries(renamed).filter(([name]) => !Object.hasOwn(own, name)));
}
