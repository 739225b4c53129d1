import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";
import { withCacheControl } from "./media-to-chat.ts";

const NO_PARAMETERS = { type: "object", properties: {} };
const KNOWN = new Set(["type", "name", "description", "input_schema", "strict", "cache_control"]);

/** `tools`, `tool_choice` and `parallel_tool_calls`; a choice without tools goes with them. */
export function toolsToChat(body: JsonObject, findings: Findings): JsonObject {
  const tools = arrayOf(body["tools"]).flatMap((tool, index) =>
    chatTool(objectOf(tool), { param: `tools[${index}]`, findings }),
  );
  if (tools.length === 0) return {};
  return { tools, ...choiceToChat(objectOf(body["tool_choice"])) };
}

interface Place {
  readonly param: string;
  readonly findings: Findings;
}

function chatTool(tool: JsonObject, { param, findings }: Place): readonly JsonObject[] {
  const { type, name, description, input_schema, strict } = tool;
  if (isFilledText(type) && type !== "custom") {
    findings.refuse({
      param,
      message: `\`${plainWord(type, param)}\` is a tool that Anthropic's models know by its type; leave it out or name such a target.`,
    });
    return [];
  }
  for (const key of Object.keys(tool)) if (!KNOWN.has(key)) findings.lose(`tools.${key}`);
  const declared = {
    name,
    ...(isFilledText(description) && { description }),
    parameters: input_schema ?? NO_PARAMETERS,
    ...(typeof strict === "boolean" && { strict }),
  };
  return [withCacheControl({ type: "function", function: declared }, tool)];
}

function choiceToChat({ type, name, disable_parallel_tool_use }: JsonObject): JsonObject {
  const parallel = disable_parallel_tool_use === true && { parallel_tool_calls: false };
  switch (type) {
    case "auto":
    case "none":
      return { tool_choice: type, ...parallel };
    case "any":
      return { tool_choice: "required", ...parallel };
    case "tool":
      return { tool_choice: { type: "function", function: { name } }, ...parallel };
    default:
      return { ...parallel };
  }
}
