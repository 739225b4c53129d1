import { memoizeByName } from "../lib/memoize.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { ReadRequest, WrittenRequest } from "../protocol/translate/talk-format.ts";

interface Spoken {
  readonly dialect: Dialect;
  readonly parsed: JsonObject;
}

/** A request in its chat form. */
export interface ChatView extends ReadRequest {
  /** The chat form as a model of which nothing was learned is told it, by dialect; made once. */
  readonly written: Readonly<Record<keyof typeof FORMATS, (model: string) => WrittenRequest>>;
}

/**
 * A request as routing, affinity and verification read it: a conversation in its chat form, anything
 * else as it is. What the chat form has no room for is told beside it.
 */
export function chatView(spoken: Spoken): ChatView {
  const read = readAsChat(spoken);
  const { body } = read;
  return {
    ...read,
    written: {
      messages: memoizeByName((model) => FORMATS.messages.requestFromChat(body, { model })),
      responses: memoizeByName((model) => FORMATS.responses.requestFromChat(body, { model })),
    },
  };
}

function readAsChat({ dialect, parsed }: Spoken): ReadRequest {
  if (!isTalk(dialect) || dialect === "chat") return { body: parsed, lossy: [], refused: [] };
  // Ours, and never a loss.
  const { veriroute: _, ...own } = parsed;
  return FORMATS[dialect].requestToChat(own);
}
