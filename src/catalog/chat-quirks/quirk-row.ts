import type { EffortQuirks, MemberRule, MessageQuirks } from "../../protocol/shaping/quirks.ts";

/** One fact sheet's worth of how a vendor's chat endpoint differs; rows of one vendor add up. */
export interface QuirkRow {
  /** Provider types it holds for. */
  readonly types: readonly string[];
  /** Ids of the models it holds for; without it all of them. */
  readonly models?: RegExp;
  /** Where the facts come from. */
  readonly source: string;
  readonly members?: Readonly<Record<string, MemberRule>>;
  /** It answers known members other than these with an error; a later row's list replaces it. */
  readonly takes?: readonly string[];
  readonly effort?: EffortQuirks;
  readonly messages?: Partial<Omit<MessageQuirks, "drops">>;
  /** Likewise for what is added to messages. */
  readonly message_takes?: readonly string[];
}

export const REFUSED = { kind: "refused" } as const;
export const IGNORED = { kind: "ignored" } as const;

export const renamed = (to: string) => ({ kind: "renamed", to }) as const;

/** `any` is Mistral's word; the others have OpenAI's. */
export const TOOL_CHOICE = {
  tool_choice: { kind: "words", words: new Map([["any", "required"]]) },
} as const;
