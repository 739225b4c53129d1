import { isHint } from "./member-kinds.ts";
import type { ChatQuirks, MemberRule } from "./quirks.ts";

/** What a vendor's own errors taught of one of its models. */
export interface ChatLesson {
  readonly members?: ReadonlyMap<string, MemberRule>;
  /** Words that `reasoning_effort` may have; none if it is not taken at all. */
  readonly efforts?: readonly string[];
  /** Members that messages, parts and calls may not have. */
  readonly drops?: ReadonlySet<string>;
  readonly system_role?: true;
  readonly fills_reasoning?: true;
  readonly call_ids?: "nine";
}

/** All that was known and what was learned now. */
export function joinLessons(known: ChatLesson | undefined, lesson: ChatLesson): ChatLesson {
  return {
    ...known,
    ...lesson,
    members: new Map([...(known?.members ?? []), ...(lesson.members ?? [])]),
    drops: new Set([...(known?.drops ?? []), ...(lesson.drops ?? [])]),
  };
}

interface Learned {
  readonly lesson: ChatLesson | undefined;
  /** The client named the target itself. */
  readonly pinned: boolean;
}

/**
 * The quirks with what was learned; a vendor's own words beat what was known before. A client that
 * named the target is never refused for a lesson: it gets the vendor's answer to what it asked.
 */
export function withLesson(quirks: ChatQuirks, { lesson, pinned }: Learned): ChatQuirks {
  if (lesson === undefined) return quirks;
  const { messages, effort } = quirks;
  const { efforts, system_role, fills_reasoning, call_ids } = lesson;
  const drops = new Set([...messages.drops, ...(lesson.drops ?? [])]);
  if (fills_reasoning) drops.delete("reasoning_content");
  return {
    ...quirks,
    members: new Map([...quirks.members, ...rulesOf(lesson, pinned)]),
    effort: efforts === undefined ? effort : { ...effort, takes: efforts, words: new Map() },
    messages: {
      ...messages,
      drops,
      ...(system_role && { system_role }),
      ...(call_ids && { call_ids }),
      ...(fills_reasoning && {
        reasoning: "reasoning_content" as const,
        fills_reasoning: "unless_off" as const,
      }),
    },
  };
}

function rulesOf({ members }: ChatLesson, pinned: boolean): [string, MemberRule][] {
  const rules = [...(members ?? [])];
  return pinned ? rules.filter(([name, { kind }]) => kind === "renamed" || isHint(name)) : rules;
}
