import type { ClaudeFacts } from "../../anthropic/request/claude-facts.ts";
import { arrayOf, isObject, isVisible, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, isGiven, plainWord } from "../findings.ts";
import { isToolName } from "./call-names.ts";
import { withCacheControl } from "./media-to-chat.ts";

export interface ClaudeTools {
  /** `tools` and `tool_choice` where there are any. */
  readonly members: JsonObject;
  /** Names of tools that the client declared as `custom`: their calls carry `{input: text}`. */
  readonly custom_tools: readonly string[];
}

interface Declared {
  readonly tool: JsonObject;
  readonly name: string;
  readonly is_custom: boolean;
}

/** Tools of a chat body; `used` are names of calls in the history, which the API wants declared. */
export function toolsFromChat(
  body: JsonObject,
  used: readonly string[],
  { facts, findings }: { readonly facts: ClaudeFacts; readonly findings: Findings },
): ClaudeTools {
  const choice = body["tool_choice"] ?? legacyChoice(body["function_call"]);
  const declared = allowed(
    [...declaredTools(body, findings), ...legacyTools(body, findings)],
    choice,
  );
  if (declared.length === 0) return { members: historyTools(used), custom_tools: [] };
  const parallel = body["parallel_tool_calls"] !== false;
  const tool_choice = fittingChoice(choiceFromChat(choice), { parallel, facts, findings });
  return {
    members: { tools: declared.map(({ tool }) => tool), ...(tool_choice && { tool_choice }) },
    custom_tools: declared.filter(({ is_custom }) => is_custom).map(({ name }) => name),
  };
}

/** Bare declarations that nothing may call. */
function historyTools(used: readonly string[]): JsonObject {
  if (used.length === 0) return {};
  const tools = [...new Set(used)].map((name) => ({ name, input_schema: NO_PARAMETERS }));
  return { tools, tool_choice: { type: "none" } };
}

const NO_PARAMETERS = { type: "object", properties: {} };
const TEXT_INPUT = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

function declaredTools(body: JsonObject, findings: Findings): readonly Declared[] {
  return arrayOf(body["tools"]).flatMap((value, index) => {
    const tool = objectOf(value);
    const param = `tools[${index}]`;
    if (isObject(tool["custom"])) return customTool(tool["custom"], param, findings);
    if (isObject(tool["function"])) {
      return functionTool(withCacheControl(tool["function"], tool), `${param}.function`, findings);
    }
    const type = plainWord(tool["type"], "unknown");
    findings.refuse({
      param,
      message: `A tool \`${type}\` runs on another vendor's servers; leave it out.`,
    });
    return [];
  });
}

function legacyTools(body: JsonObject, findings: Findings): readonly Declared[] {
  if (isGiven(body["tools"])) return [];
  return arrayOf(body["functions"]).flatMap((declared, index) =>
    functionTool(objectOf(declared), `functions[${index}]`, findings),
  );
}

function functionTool(declared: JsonObject, param: string, findings: Findings): Declared[] {
  const { description, parameters, strict } = declared;
  const name = nameOf(declared, param, findings);
  if (name === null) return [];
  if (strict === true) findings.lose("tools.strict");
  const schema = objectOf(parameters);
  const input_schema =
    Object.keys(schema).length === 0 ? NO_PARAMETERS : { ...schema, type: "object" };
  const said = isVisible(description) && { description };
  const tool = withCacheControl({ name, ...said, input_schema }, declared);
  return [{ tool, name, is_custom: false }];
}

function customTool(declared: JsonObject, param: string, findings: Findings): Declared[] {
  const name = nameOf(declared, `${param}.custom`, findings);
  if (name === null) return [];
  findings.lose("tools.custom");
  const said = isVisible(declared["description"]) && { description: declared["description"] };
  return [{ tool: { name, ...said, input_schema: TEXT_INPUT }, name, is_custom: true }];
}

function nameOf({ name }: JsonObject, param: string, findings: Findings): string | null {
  if (typeof name === "string" && isToolName(name)) return name;
  findings.refuse({
    param: `${param}.name`,
    message:
      "For a Claude model a tool's name has 1 to 128 letters, digits, `_` or `-`; rename the tool.",
  });
  return null;
}

function legacyChoice(call: unknown): unknown {
  return isObject(call) ? { type: "function", function: call } : call;
}

function allowed(declared: readonly Declared[], choice: unknown): readonly Declared[] {
  const { type, allowed_tools } = objectOf(choice);
  if (type !== "allowed_tools") return declared;
  const names = new Set(arrayOf(objectOf(allowed_tools)["tools"]).map((tool) => chosenName(tool)));
  return declared.filter(({ name }) => names.has(name));
}

function chosenName(choice: unknown): unknown {
  const chosen = objectOf(choice);
  return objectOf(chosen["function"] ?? chosen["custom"])["name"];
}

function choiceFromChat(choice: unknown): JsonObject | null {
  if (choice === "none" || choice === "auto") return { type: choice };
  if (choice === "required") return { type: "any" };
  const { type, allowed_tools } = objectOf(choice);
  if (type === "allowed_tools") return choiceFromChat(objectOf(allowed_tools)["mode"]);
  const name = chosenName(choice);
  return name === undefined ? null : { type: "tool", name };
}

interface Fitting {
  readonly parallel: boolean;
  readonly facts: ClaudeFacts;
  readonly findings: Findings;
}

function fittingChoice(
  choice: JsonObject | null,
  { parallel, facts, findings }: Fitting,
): JsonObject | null {
  const isForced = choice?.["type"] === "any" || choice?.["type"] === "tool";
  if (isForced && !facts.forced_tool) findings.lose("tool_choice");
  const kept = isForced && !facts.forced_tool ? { type: "auto" } : choice;
  if (parallel || kept?.["type"] === "none") return kept;
  return { ...(kept ?? { type: "auto" }), disable_parallel_tool_use: true };
}
