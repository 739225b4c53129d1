import type { JsonObject } from "../../protocol/openai/fields.ts";
import { askedText, lastUserText, promptStrings } from "./prompt-strings.ts";
import { type Topic, TOPICS } from "./topics.ts";

export type Charset = "ascii" | "non_ascii";

/**
 * What attribution needs of a request. Made once per request and shared by all of its attempts; each
 * answer is worked out when first asked for, which few outputs cause.
 */
export interface PromptProfile {
  /** Over all messages, system prompts, tool results and tools. */
  charset(): Charset;
  asksFor(topic: Topic): boolean;
  /** Any text sent, tool results included, matches. `pattern` must not be global. */
  mentions(pattern: RegExp): boolean;
  /** The last thing a person said. */
  lastUserText(): string;
}

interface PromptSource {
  readonly strings: () => Iterable<string>;
  readonly asked: () => string;
  readonly last: () => string;
  /** Overrules what the strings say. */
  readonly charset?: Charset | undefined;
}

const NON_ASCII = /[^\0-\x7F]/;

/** The profile of a parsed request body of any dialect; its charset may be known from its bytes. */
export function charsetProfile(body: JsonObject, charset?: Charset): PromptProfile {
  return createProfile({
    strings: () => promptStrings(body),
    asked: () => askedText(body),
    last: () => lastUserText(body),
    charset,
  });
}

/** The profile of a request of which only one prompt is known. */
export function profileOfText(prompt: string, charset?: Charset): PromptProfile {
  return createProfile({
    strings: () => [prompt],
    asked: () => prompt,
    last: () => prompt,
    charset,
  });
}

function createProfile({ strings, asked, last, charset }: PromptSource): PromptProfile {
  let known = charset;
  let askedOnce: string | undefined;
  const topics = new Map<Topic, boolean>();

  function someMatches(pattern: RegExp): boolean {
    for (const text of strings()) if (pattern.test(text)) return true;
    return false;
  }

  return {
    charset: () => (known ??= someMatches(NON_ASCII) ? "non_ascii" : "ascii"),
    asksFor(topic) {
      askedOnce ??= asked();
      const answer = topics.get(topic) ?? TOPICS[topic].test(askedOnce);
      topics.set(topic, answer);
      return answer;
    },
    mentions: someMatches,
    lastUserText: last,
  };
}
