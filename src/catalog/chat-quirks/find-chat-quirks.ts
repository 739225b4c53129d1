import type {
  ChatQuirks,
  EffortQuirks,
  MemberRule,
  MessageQuirks,
} from "../../protocol/shaping/quirks.ts";
import { HOST_ROWS } from "./host-rows.ts";
import { type QuirkRow, REFUSED } from "./quirk-row.ts";
import { THINKING_ROWS } from "./thinking-rows.ts";
import { VENDOR_ROWS } from "./vendor-rows.ts";
import { ADDED_MEMBERS, MESSAGE_EXTENSIONS, OPENAI_MEMBERS } from "./vocabulary.ts";

const ROWS: readonly QuirkRow[] = [...VENDOR_ROWS, ...THINKING_ROWS, ...HOST_ROWS];
const VOCABULARY: readonly string[] = [...OPENAI_MEMBERS, ...ADDED_MEMBERS];

const AS_SENT: Omit<MessageQuirks, "drops"> = {
  system_role: false,
  reasoning: null,
  fills_reasoning: "never",
  thinking_parts: true,
  call_ids: "any",
  signatures: false,
  prefill: null,
  ends_with_user: false,
  images: "any",
};

interface Vendor {
  readonly id: string;
  readonly name: string;
}

/**
 * How a vendor's chat endpoint differs for one of its models, all rows that hold for it put together.
 * Types without a row, such as `openai-compatible`, are sent what the client said.
 */
export function chatQuirks({ id, name }: Vendor, model: string): ChatQuirks {
  const folded = model.toLowerCase();
  const rows = ROWS.filter(
    ({ types, models }) => types.includes(id) && (models?.test(folded) ?? true),
  );
  const members = new Map<string, MemberRule>();
  for (const member of missing(VOCABULARY, rows.findLast(({ takes }) => takes)?.takes)) {
    members.set(member, REFUSED);
  }
  for (const row of rows) {
    for (const [member, rule] of Object.entries(row.members ?? {})) members.set(member, rule);
  }
  const takes = rows.findLast(({ message_takes }) => message_takes)?.message_takes;
  return {
    vendor: name,
    members,
    effort: rows.reduce<EffortQuirks | null>((known, { effort }) => effort ?? known, null),
    messages: messagesOf(rows, new Set(missing(MESSAGE_EXTENSIONS, takes))),
  };
}

function messagesOf(rows: readonly QuirkRow[], drops: ReadonlySet<string>): MessageQuirks {
  const known: MessageQuirks = { ...AS_SENT, drops };
  return Object.assign(known, ...rows.map(({ messages }) => messages));
}

/** Words of a vocabulary that are not taken; none of them where nobody said what is. */
function missing(
  vocabulary: readonly string[],
  takes: readonly string[] | undefined,
): readonly string[] {
  return takes === undefined ? [] : vocabulary.filter((word) => !takes.includes(word));
}
