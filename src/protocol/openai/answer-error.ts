import { failedBase, locateError } from "../error-source.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "./fields.ts";
import { isErrorFinish } from "./finish-reason.ts";

/** Whether a 200's JSON body is an error dressed as an answer, in any vendor's envelope. */
export function isErrorAnswer(body: JsonObject): boolean {
  return locateError(body) !== null || hasFailedChoice(body);
}

/**
 * Whether a stream's chunk tells of an error. A chunk without choices that merely has a `message` is
 * left alone: vendors send notices of their own in between.
 */
export function isErrorChunk(chunk: JsonObject): boolean {
  const { error, object, type } = chunk;
  if (object === "error" || type === "error" || error === true) return true;
  return isError(error) || hasFailedChoice(chunk) || failedBase(chunk) !== null;
}

function hasFailedChoice(body: JsonObject): boolean {
  return arrayOf(body["choices"]).some((choice) => {
    const { error, finish_reason: finish } = objectOf(choice);
    return isErrorFinish(finish) || isError(error);
  });
}

/** Empty ones are what some vendors send when all is well. */
function isError(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0;
  return isFilledText(error) || Object.keys(objectOf(error)).length > 0;
}
