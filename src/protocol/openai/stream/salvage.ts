import { isObject, parseJson } from "../fields.ts";

/** Places where a second frame may begin that are tried; a frame with more is garbage. */
const MAX_TRIES = 16;

/**
 * The payloads that can be saved from one that is no JSON: servers leave out the blank line between
 * two events, or cut one in mid-write and begin the next on the same line.
 */
export function salvage(data: string): string[] {
  return data.split("\n").flatMap((line) => {
    const payload = isPayload(line) ? line : within(line);
    return payload === undefined ? [] : [payload];
  });
}

function within(line: string): string | undefined {
  let at = line.indexOf("data:");
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    const rest = line.slice(at + "data:".length).trim();
    if (isPayload(rest)) return rest;
    at = line.indexOf("data:", at + 1);
  }
  return undefined;
}

/** A literal inside a string never passes: its quotes are escaped there, and no key goes without. */
function isPayload(text: string): boolean {
  if (text.trim() === "[DONE]") return true;
  const parsed = parseJson(text);
  return isObject(parsed) && Object.keys(parsed).length > 0;
}
