import { type Dialect, isTalk } from "../protocol/dialect.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { ReadRequest } from "../protocol/translate/talk-format.ts";

interface Spoken {
  readonly dialect: Dialect;
  readonly parsed: JsonObject;
}

/**
 * A request as routing, affinity and verification read it: a conversation in its chat form, anything
 * else as it is. What the chat form has no room for is told beside it.
 */
export function chatView({ dialect, parsed }: Spoken): ReadRequest {
  if (!isTalk(dialect) || dialect === "chat") return { body: parsed, lossy: [], refused: [] };
  // Ours, and never a loss.
  const { veriroute: _, ...own } = parsed;
  return FORMATS[dialect].requestToChat(own);
}
