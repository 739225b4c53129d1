import { type ContentFacts, mergeContent } from "../../openai/content.ts";
import { arrayOf, isFilledText, objectOf } from "../../openai/fields.ts";
import { type ChoiceFacts, createChoice } from "../../openai/stream/choice.ts";
import type { TokenUsage } from "../../openai/usage.ts";
import { createEventDecoder } from "../../translate/messages-answers/decode-events.ts";
import type { MessagesEvent } from "../read-event.ts";
import type { CallState } from "../stop-reason.ts";
import { readMessagesUsage } from "../usage.ts";

interface ObserverOptions {
  readonly newId: () => string;
  /** Told the text of each delta that has one, in order; the choice is always 0. */
  readonly onText?: (choice: number, text: string) => void;
}

/** Blocks that the decoder makes chat of. */
const TALK = new Set<unknown>(["text", "thinking", "redacted_thinking", "tool_use"]);

/** Nothing is edited by way of chat, so there is no payload to edit. */
const NOWHERE = { payload: () => new Uint8Array(), position: 0 };

/** Watches what a message says, by way of the chat that it comes to. */
export function createObserver({ newId, onText }: ObserverOptions) {
  const decoder = createEventDecoder({
    id: "",
    model: "",
    created: 0,
    newId,
    onLoss: () => undefined,
  });
  const choice = createChoice(0, { dialect: "chat", newId, ...(onText && { onText }) });
  let stop: string | null = null;
  let hasServerTools = false;

  const finish = () => stop ?? choice.finish();

  /** What tools of the vendor do is content too, though chat has no room for it. */
  function content(): ContentFacts {
    const shown = choice.content();
    return hasServerTools ? mergeContent(shown, { ...shown, tool_calls: true }) : shown;
  }

  return {
    see(event: MessagesEvent): void {
      const reason = objectOf(event["delta"])["stop_reason"];
      if (event.type === "message_delta" && isFilledText(reason)) stop = reason;
      const opened = objectOf(event["content_block"])["type"];
      hasServerTools ||= event.type === "content_block_start" && !TALK.has(opened);
      for (const chunk of decoder.read(event)) {
        for (const value of arrayOf(chunk["choices"])) choice.read(objectOf(value), NOWHERE);
      }
    },

    content,
    /** As the upstream spelled it; null while the message goes on. */
    finish,
    calls: (): CallState => decoder.calls(),
    usage: (): TokenUsage | null => readMessagesUsage(decoder.usage()),
    facts: (): ChoiceFacts => ({ ...choice.facts(), content: content(), finish: finish() }),
  };
}
