/** What becomes of one member of a chat body at a vendor that does not take it as OpenAI does. */
export type MemberRule =
  /** It is answered with an error. */
  | { readonly kind: "refused" }
  /** It is taken and does nothing, which the client should know. */
  | { readonly kind: "ignored" }
  /** It has another name there. */
  | { readonly kind: "renamed"; readonly to: string }
  /** It may not stand beside another one that says the same. */
  | { readonly kind: "yields"; readonly to: string }
  /** Only this value is taken. */
  | { readonly kind: "only"; readonly value: unknown }
  /** Objects of these `type`s are taken. */
  | { readonly kind: "types"; readonly takes: readonly string[] }
  /** Some words are spelled otherwise; values that are not listed pass. */
  | { readonly kind: "words"; readonly words: ReadonlyMap<string, string> };

/** How much a model may be asked to think. */
export interface EffortQuirks {
  /** Words that are taken; others become the nearest. None: the member is left out. */
  readonly takes: readonly string[];
  /** Words that become others, whatever is nearest. */
  readonly words?: ReadonlyMap<string, string>;
  /** The member that says `none` where the word is not taken. */
  readonly off?: Readonly<Record<string, unknown>>;
}

/** What of a conversation must differ for a vendor. */
export interface MessageQuirks {
  /** `developer` is no role there. */
  readonly system_role: boolean;
  /** Members that messages, parts, tools and calls may not have. */
  readonly drops: ReadonlySet<string>;
  /** Where earlier reasoning is read, `parts` being those of the content; null if anywhere or nowhere. */
  readonly reasoning: "reasoning" | "reasoning_content" | "parts" | null;
  /** When each turn of an assistant must have that member, be it empty. */
  readonly fills_reasoning: "never" | "when_thinking" | "unless_off";
  /** Content may have parts of type `thinking`. */
  readonly thinking_parts: boolean;
  /** What ids of tool calls look like. */
  readonly call_ids: "any" | "nine";
  /** Calls of the current turn must carry Google's thought signature. */
  readonly signatures: boolean;
  /** How an assistant's message at the end says that it is to be continued. */
  readonly prefill: "prefix" | "partial" | null;
  /** The last message must be a user's, a tool's or a marked beginning of the answer. */
  readonly ends_with_user: boolean;
  /** `inline`: only data URLs of PNG, JPEG and WebP. */
  readonly images: "any" | "inline";
}

/** How a vendor's chat endpoint differs, for one of its models. What is not named arrives as sent. */
export interface ChatQuirks {
  /** Its name, for messages. */
  readonly vendor: string;
  readonly members: ReadonlyMap<string, MemberRule>;
  /** Null: whatever the client says. */
  readonly effort: EffortQuirks | null;
  readonly messages: MessageQuirks;
}
