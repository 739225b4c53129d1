import { arrayOf, isObject, objectOf, parseJson } from "../../protocol/openai/fields.ts";
import { unfenced } from "../text/code-fence.ts";
import { fault } from "../verdict.ts";
import type { Output, Signature } from "./signature.ts";

export const toolCallTextLeak: Signature = {
  name: "tool_call_text_leak",
  verdict: "leak",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    "Tools were declared, none was called, and the text holds a mark that models write calls with " +
    "(`<tool_call>`, `<function=`, `[TOOL_CALLS]`, …) outside of code, or is as a whole, fenced or not, " +
    "a call of a declared tool as JSON.",
  spares:
    "Requests without tools; prompts that have the marks in them; objects that name another tool.",
  isEarly: true,
  needsWhole: true,
  judge(output) {
    const { text, answer, request, prompt } = output;
    if (request.tools.length === 0 || answer.has_tool_calls) return null;
    const isMarked = text.plain.has_tool_mark && !prompt.mentions(MARK);
    return isMarked || isCall(output) ? fault("leak", "target") : null;
  },
};

const MARK = /tool_call|<function|<invoke|\[TOOL_CALLS\]|python_tag|<｜tool/i;

const NAMES = ["name", "function", "tool", "tool_name", "function_name", "action"];
const INPUTS = ["arguments", "parameters", "input", "args", "action_input", "tool_input"];

/** The whole text calls a declared tool. */
function isCall({ stage, text, request: { tools } }: Output): boolean {
  const body = (unfenced(text.head) ?? text.head).trim();
  if (!/^[[{`]/.test(body)) return false;
  if (stage === "end" && text.whole === text.head) return isCallValue(parseJson(body), tools);
  // Of a long call only the ends are kept; a name and a closing bracket tell it well enough.
  const isClosed = stage === "start" || /[\]}](?:\s*```)?$/.test(text.tail.trimEnd());
  const name = LONG_CALL.exec(body)?.[1];
  return isClosed && name !== undefined && tools.includes(name);
}

const LONG_CALL = new RegExp(
  `^(?:\`\`\`[\\w-]*\\s*)?(?:\\[\\s*)?\\{\\s*"(?:${NAMES.join("|")})"\\s*:\\s*"([^"]+)"\\s*,\\s*"(?:${INPUTS.join("|")})"\\s*:`,
);

function isCallValue(value: unknown, tools: readonly string[]): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && arrayOf(value).every((one) => isCallValue(one, tools));
  }
  if (!isObject(value)) return false;
  const calls = value["tool_calls"];
  if (calls !== undefined) return isCallValue(calls, tools);
  const inner = objectOf(value["function"]);
  const call = "name" in inner ? inner : value;
  const names = NAMES.map((key) => call[key]);
  const hasInput = INPUTS.some((key) => key in call) || Object.keys(call).length === 1;
  return hasInput && names.some((name) => typeof name === "string" && tools.includes(name));
}
