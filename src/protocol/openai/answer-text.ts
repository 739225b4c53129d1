import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "./fields.ts";

/** A function that an answer calls. */
export interface FunctionCall {
  readonly name: string;
  /** As it came, text or value; undefined where it is not known whole. */
  readonly arguments: unknown;
}

/** What a chat message or delta says: its text, the parts of a list joined. Reasoning and refusals are left out. */
export function chatText({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return arrayOf(content)
    .map((part) => objectOf(part)["text"])
    .filter(isFilledText)
    .join("");
}

/** What a legacy completion's choice says. */
export function completionText({ text }: JsonObject): string {
  return typeof text === "string" ? text : "";
}

/** The functions that a whole chat message calls; calls of custom tools are none. */
export function functionCalls(message: JsonObject): readonly FunctionCall[] {
  const calls = arrayOf(message["tool_calls"]).map((call) => objectOf(call)["function"]);
  return [...calls, message["function_call"]].filter(isObject).map((call) => {
    const { name, arguments: given } = call;
    return { name: typeof name === "string" ? name : "", arguments: given };
  });
}
