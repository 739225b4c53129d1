import type { JsonObject } from "../../protocol/openai/fields.ts";
import { askedText, lastUserText, NON_ASCII, promptStrings } from "./prompt-strings.ts";
import { type Topic, TOPICS } from "./topics.ts";

export type Charset = "ascii" | "non_ascii";

/**
 * What attribution needs of a request. Made once per request and shared by all of its attempts; each
 * answer is worked out when first asked for, which few outputs cause.
 */
export interface PromptProfile {
  /** Over all messages, system prompts, tool results and tools; not ASCII if that cannot be told. */
  charset(): Charset;
  asksFor(topic: Topic): boolean;
  /** Any text sent, tool results included, matches. `pattern` must not be global. */
  mentions(pattern: RegExp): boolean;
  /** The last thing a person said. */
  lastUserText(): string;
}

/** How the texts of a request of one kind are found. */
interface Reading<Source> {
  strings(source: Source): Iterable<string>;
  asked(source: Source): string;
  lastUserText(source: Source): string;
}

const OF_BODY: Reading<JsonObject> = { strings: promptStrings, asked: askedText, lastUserText };
const OF_TEXT: Reading<string> = {
  strings: (text) => [text],
  asked: (text) => text,
  lastUserText: (text) => text,
};

/**
 * The profile of a parsed request body of any dialect. Its charset may be `known` otherwise, which is asked
 * first and at most once.
 */
export function charsetProfile(body: JsonObject, known?: () => Charset | undefined): PromptProfile {
  return new ReadOnce(OF_BODY, body, known);
}

/** The profile of a request of which only one prompt is known. */
export function profileOfText(prompt: string, charset?: Charset): PromptProfile {
  return new ReadOnce(OF_TEXT, prompt, () => charset);
}

class ReadOnce<Source> implements PromptProfile {
  readonly #reading: Reading<Source>;
  readonly #source: Source;
  readonly #known: (() => Charset | undefined) | undefined;
  #charset: Charset | undefined;
  #asked: string | undefined;
  #last: string | undefined;
  #topics: Map<Topic, boolean> | undefined;

  /** A known charset overrules what the strings say. */
  constructor(reading: Reading<Source>, source: Source, known?: () => Charset | undefined) {
    this.#reading = reading;
    this.#source = source;
    this.#known = known;
  }

  charset(): Charset {
    return (this.#charset ??= this.#known?.() ?? this.#read());
  }

  #read(): Charset {
    return this.mentions(NON_ASCII) ? "non_ascii" : "ascii";
  }

  asksFor(topic: Topic): boolean {
    this.#topics ??= new Map();
    this.#asked ??= this.#reading.asked(this.#source);
    const answer = this.#topics.get(topic) ?? TOPICS[topic].test(this.#asked);
    this.#topics.set(topic, answer);
    return answer;
  }

  mentions(pattern: RegExp): boolean {
    for (const text of this.#reading.strings(this.#source)) if (pattern.test(text)) return true;
    return false;
  }

  lastUserText(): string {
    return (this.#last ??= this.#reading.lastUserText(this.#source));
  }
}
