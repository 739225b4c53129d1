import { arrayOf, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { ResponseContext } from "../../responses/response-object.ts";
import { createResponseEvents } from "../responses-stream/response-events.ts";

/** A whole chat completion as a response: what a stream that says the same would have come to. */
export function completionToResponse(completion: JsonObject, context: ResponseContext): JsonObject {
  const events = createResponseEvents(context);
  const { choices, ...rest } = completion;
  events.push({ ...rest, choices: arrayOf(choices).map((choice) => asDelta(objectOf(choice))) });
  return objectOf(events.end().at(-1)?.["response"]);
}

function asDelta({ message, ...rest }: JsonObject): JsonObject {
  const { tool_calls: calls, ...said } = objectOf(message);
  return { ...rest, delta: { ...said, tool_calls: arrayOf(calls).map(indexed) } };
}

function indexed(call: unknown, index: number): JsonObject {
  return { ...objectOf(call), index };
}
