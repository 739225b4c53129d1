import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { responsesToChat } from "../../../../src/protocol/translate/responses-request/to-chat.ts";

/** A Responses request with these members as chat. */
export const read = (members: JsonObject) =>
  responsesToChat({ model: "m", input: "hi", ...members });

export const call = (call_id: string, name = "run") => ({
  type: "function_call",
  call_id,
  name,
  arguments: "{}",
});
export const output = (call_id: string, said: unknown = "ok") => ({
  type: "function_call_output",
  call_id,
  output: said,
});
export const chatCall = (id: string, name = "run") => ({
  id,
  type: "function",
  function: { name, arguments: "{}" },
});
export const assistant = (members: object) => ({ role: "assistant", content: null, ...members });
export const result = (tool_call_id: string, content = "ok") => ({
  role: "tool",
  tool_call_id,
  content,
});
