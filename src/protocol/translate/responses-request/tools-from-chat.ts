import { arrayOf, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, isSet } from "../findings.ts";

/** The members of a Responses body that say which tools there are and how they may be called. */
export function toolsFromChat(body: JsonObject, findings: Findings): JsonObject {
  for (const param of ["functions", "function_call"]) {
    const message = `\`${param}\` is of the old form; use \`tools\` and \`tool_choice\`.`;
    if (isSet(body[param])) findings.refuse({ param, message });
  }
  const tools = arrayOf(body["tools"]).map((tool) => flatTool(objectOf(tool)));
  if (tools.length === 0) return {};
  const { tool_choice: choice, parallel_tool_calls: parallel } = body;
  return {
    tools,
    ...(isSet(choice) && { tool_choice: flatChoice(choice) }),
    ...(typeof parallel === "boolean" && { parallel_tool_calls: parallel }),
  };
}

/** Chat leaves `strict` off where it is not said, Responses leaves it on. */
function flatTool(tool: JsonObject): JsonObject {
  const { type, custom, function: called } = tool;
  if (isObject(custom)) return { type, ...custom, ...flatFormat(custom) };
  if (!isObject(called)) return tool;
  const { parameters = { type: "object", properties: {} }, strict = false, ...rest } = called;
  return { type, ...rest, parameters, strict };
}

/** Chat wraps a grammar in a member of that name. */
function flatFormat({ format }: JsonObject): JsonObject {
  const { type, grammar } = objectOf(format);
  return isObject(grammar) ? { format: { type, ...grammar } } : {};
}

function flatChoice(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const { type, allowed_tools: allowed, custom, function: called } = choice;
  if (isObject(allowed)) {
    return { type, mode: allowed["mode"], tools: arrayOf(allowed["tools"]).map(flatChoice) };
  }
  const { name } = objectOf(custom ?? called);
  return { type, name };
}
