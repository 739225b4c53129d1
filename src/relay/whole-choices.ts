import { chatText, completionText, functionCalls } from "../protocol/openai/answer-text.ts";
import { chatContent, completionContent } from "../protocol/openai/content.ts";
import { arrayOf, type JsonObject, objectOf } from "../protocol/openai/fields.ts";
import type { ChoiceFacts } from "../protocol/openai/stream/choice.ts";

/** A choice of a whole answer. */
interface WholeChoice extends ChoiceFacts {
  readonly text: string;
}

/** The choices of a whole answer, in their order. */
export function readChoices(body: JsonObject, isChat: boolean): readonly WholeChoice[] {
  return arrayOf(body["choices"]).map((value) => {
    const choice = objectOf(value);
    const { finish_reason: reason } = choice;
    const finish = typeof reason === "string" ? reason : null;
    return isChat ? chatChoice(objectOf(choice["message"]), finish) : textChoice(choice, finish);
  });
}

const NO_CALLS: ChoiceFacts["calls"] = [];

function chatChoice(message: JsonObject, finish: string | null): WholeChoice {
  const content = chatContent(message);
  const calls = content.tool_calls ? functionCalls(message) : NO_CALLS;
  return { text: chatText(message), content, finish, calls };
}

function textChoice(choice: JsonObject, finish: string | null): WholeChoice {
  return {
    text: completionText(choice),
    content: completionContent(choice),
    finish,
    calls: NO_CALLS,
  };
}
