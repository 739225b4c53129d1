import { memoizeByName } from "../lib/memoize.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import { isTooDeep } from "../protocol/json/nesting.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import type { ResponsesTools } from "../protocol/responses/response-tools.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { ReadRequest, WrittenRequest } from "../protocol/translate/talk-format.ts";
import type { TalkDialect, Untranslatable } from "../protocol/translate/translation.ts";

interface Spoken {
  readonly dialect: Dialect;
  readonly parsed: JsonObject;
}

/** The chat form as a model of which nothing was learned is told it, by dialect; made once. */
type Written = Readonly<Record<keyof typeof FORMATS, (model: string) => WrittenRequest>>;

/**
 * A request as routing, affinity and verification read it: a conversation in its chat form, anything
 * else as it is. What the chat form has no room for is told beside it.
 */
export class ChatView {
  readonly body: JsonObject;
  readonly lossy: readonly string[];
  readonly refused: readonly Untranslatable[];
  readonly tools: ResponsesTools | undefined;
  #written: Written | undefined;
  #barrier: Untranslatable | null | undefined;

  constructor({ body, lossy, refused, tools }: ReadRequest) {
    this.body = body;
    this.lossy = lossy;
    this.refused = refused;
    this.tools = tools;
  }

  get written(): Written {
    return (this.#written ??= writtenFrom(this.body));
  }

  /**
   * What of the request a model cannot be told in that dialect; null if nothing. Members of a pool are
   * often the same model at several vendors.
   */
  untranslatable(wire: TalkDialect, model: string): Untranslatable | null {
    if (this.#barrier === undefined) {
      this.#barrier = this.refused[0] ?? (isTooDeep(this.body) ? TOO_DEEP : null);
    }
    if (this.#barrier !== null || wire === "chat") return this.#barrier;
    return this.written[wire](model).refused[0] ?? null;
  }
}

const TOO_DEEP: Untranslatable = {
  param: "messages",
  message: "The body nests too deeply to be translated for this target; flatten it.",
};

const NONE: readonly never[] = [];

export function chatView({ dialect, parsed }: Spoken): ChatView {
  if (!isTalk(dialect) || dialect === "chat") {
    return new ChatView({ body: parsed, lossy: NONE, refused: NONE });
  }
  // Ours, and never a loss.
  const { veriroute: _, ...own } = parsed;
  return new ChatView(FORMATS[dialect].requestToChat(own));
}

function writtenFrom(body: JsonObject): Written {
  return {
    messages: memoizeByName((model) => FORMATS.messages.requestFromChat(body, { model })),
    responses: memoizeByName((model) => FORMATS.responses.requestFromChat(body, { model })),
  };
}
