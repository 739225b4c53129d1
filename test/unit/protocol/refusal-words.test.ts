import { expect, test } from "bun:test";

import type { TalkDialect } from "../../../src/protocol/translate/translation.ts";
import { chatView } from "../../../src/relay/chat-view.ts";

const TEXT = "what the prompt says";

interface Row {
  readonly dialect: TalkDialect;
  readonly what: string;
  /** A body with one word of the client's own. */
  readonly ask: (word: string) => object;
}

const user = (...content: object[]) => ({ role: "user", content });

const ROWS: readonly Row[] = [
  { dialect: "messages", what: "a block", ask: (type) => ({ messages: [user({ type })] }) },
  { dialect: "messages", what: "a tool", ask: (type) => ({ messages: [], tools: [{ type }] }) },
  { dialect: "responses", what: "an item", ask: (type) => ({ input: [{ type }] }) },
  { dialect: "responses", what: "a part", ask: (type) => ({ input: [user({ type })] }) },
  { dialect: "responses", what: "a tool", ask: (type) => ({ input: "q", tools: [{ type }] }) },
  {
    dialect: "responses",
    what: "an item's id",
    ask: (id) => ({ input: [{ type: "item_reference", id }] }),
  },
  {
    dialect: "responses",
    what: "a call's id",
    ask: (call_id) => ({ input: [{ type: "function_call", call_id, name: "f", arguments: "" }] }),
  },
  {
    dialect: "responses",
    what: "an earlier response",
    ask: (previous_response_id) => ({ input: "q", previous_response_id }),
  },
  { dialect: "chat", what: "a part", ask: (type) => ({ messages: [user({ type })] }) },
  { dialect: "chat", what: "a tool", ask: (type) => ({ messages: [], tools: [{ type }] }) },
];

/** Why a request cannot be told in the dialects that are not its own. */
function refusals({ dialect, ask }: Row, word: string): string {
  const view = chatView({ dialect, parsed: { ...ask(word) } });
  const told = (["messages", "responses"] as const).flatMap((wire) =>
    wire === dialect ? [] : view.written[wire]("claude-haiku-4-5").refused,
  );
  return [...view.refused, ...told].map(({ message }) => message).join("\n");
}

test.each(ROWS)("what $what of $dialect is called is said of it, unless that is a text", (row) => {
  expect(refusals(row, "nobody_knows")).toContain("nobody_knows");
  expect(refusals(row, TEXT)).not.toBe("");
  expect(refusals(row, TEXT)).not.toContain(TEXT);
});
