import { isObject, type JsonObject } from "../fields.ts";
import { findUsage, readUsage, type TokenUsage } from "../usage.ts";

/** Follows what a stream's chunks tell of its usage, and whether it stands where clients look. */
export function createToldUsage() {
  let usage: TokenUsage | null = null;
  let hidden: JsonObject | null = null;
  let isShown = false;

  return {
    /** Whether the chunk tells of any. */
    read(chunk: JsonObject): boolean {
      const told = findUsage(chunk);
      if (told) usage = readUsage(chunk) ?? usage;
      isShown ||= isObject(chunk["usage"]);
      hidden = isShown ? null : (told ?? hidden);
      return told !== undefined;
    },
    /** The latest. */
    usage: (): TokenUsage | null => usage,
    /** As the vendor wrote it where no client looks, as long as none stood where they do. */
    hidden: (): JsonObject | null => hidden,
  };
}
