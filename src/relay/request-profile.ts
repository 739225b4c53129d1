import { isAscii } from "node:buffer";

import type { Target } from "../address/target.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import type { Instance } from "../upstream/instance.ts";
import {
  type Charset,
  charsetProfile,
  type PromptProfile,
} from "../verify/prompt/prompt-profile.ts";
import { hasUnreadText } from "../verify/prompt/prompt-strings.ts";
import {
  isEchoModel,
  readRequestFacts,
  type RequestFacts,
} from "../verify/prompt/request-facts.ts";
import type { ChatView } from "./chat-view.ts";

/** What of a request decides how answers to it are judged; made once for all of its attempts. */
export interface RequestProfile {
  readonly prompt: PromptProfile;
  /** The facts as this target gets them: parameters of pools and profiles cap an answer too. */
  factsFor(target: Target, instance: Pick<Instance, "inline_reasoning">): RequestFacts;
}

interface ProfileSource {
  readonly body: Uint8Array;
  /** The request, a conversation in its chat form. */
  readonly view: Pick<ChatView, "body" | "lossy" | "refused">;
}

export function requestProfile(source: ProfileSource): RequestProfile {
  return new Profile(source);
}

class Profile implements RequestProfile {
  readonly prompt: PromptProfile;
  readonly #view: JsonObject;
  #own: RequestFacts | undefined;

  constructor(source: ProfileSource) {
    this.prompt = charsetProfile(source.view.body, () => knownCharset(source));
    this.#view = source.view.body;
  }

  factsFor(
    { params, model }: Target,
    { inline_reasoning = false }: Pick<Instance, "inline_reasoning">,
  ): RequestFacts {
    const facts = this.#factsWith(params);
    const isEcho = !facts.asks_for_echo && isEchoModel(model);
    if (!inline_reasoning && !isEcho) return facts;
    return {
      ...facts,
      has_inline_reasoning: inline_reasoning,
      asks_for_echo: facts.asks_for_echo || isEcho,
    };
  }

  #factsWith(params: Target["params"]): RequestFacts {
    if (!isEmpty(params)) return readRequestFacts({ ...params, ...this.#view });
    return (this.#own ??= readRequestFacts(this.#view));
  }
}

const isEmpty = (params: Target["params"]): boolean => Object.keys(params).length === 0;

/**
 * Undefined if the view tells it. A model that also reads what the router cannot, such as earlier turns
 * kept at a vendor or files, may echo that: then nobody can be blamed for broken characters.
 */
function knownCharset({ body, view }: ProfileSource): Charset | undefined {
  if (view.refused.some(isContext) || hasUnreadText(view.body)) return "non_ascii";
  if (isPlain(body)) return "ascii";
  return view.lossy.some(isText) ? "non_ascii" : undefined;
}

/** Tools that run at a vendor are offered far more often than used. */
const isContext = ({ param }: Untranslatable): boolean => !param.startsWith("tools");
/** Something of the conversation that its chat form has no room for. */
const isText = (name: string): boolean => /^(?:messages|input|tools)\b/.test(name);

const BACKSLASH = 0x5c;

/** Nothing in the body can be beyond ASCII, escaped or not: most requests need no closer look. */
function isPlain(body: Uint8Array): boolean {
  if (!isAscii(body)) return false;
  if (!body.includes(BACKSLASH)) return true;
  return !Buffer.from(body.buffer, body.byteOffset, body.length).includes("\\u");
}
