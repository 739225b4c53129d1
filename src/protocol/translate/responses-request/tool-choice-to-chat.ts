import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";
import type { ChatTools } from "./tools-to-chat.ts";

/** The members of a chat body that say which tools there are and how they may be called. */
export function toolMembers(body: JsonObject, tools: ChatTools, findings: Findings): JsonObject {
  const choice = choiceOf(body["tool_choice"], tools, findings);
  const functions = tools.functions.filter((entry) => choice.allows(nameIn(entry)));
  if (functions.length === 0) {
    if (choice.is_forced) findings.refuse({ param: "tool_choice", message: NOTHING_TO_CALL });
    return {};
  }
  const parallel = body["parallel_tool_calls"];
  return {
    tools: functions,
    ...(choice.value !== undefined && { tool_choice: choice.value }),
    ...(typeof parallel === "boolean" && { parallel_tool_calls: parallel }),
  };
}

const NOTHING_TO_CALL =
  "`tool_choice` asks for a call, but none of `tools` is a function or custom tool; " +
  'add one, or set `tool_choice` to "auto".';

interface Choice {
  readonly value: unknown;
  readonly is_forced: boolean;
  allows(name: string): boolean;
}

const all = () => true;

function choiceOf(given: unknown, tools: ChatTools, findings: Findings): Choice {
  if (given === undefined || given === null) {
    return { value: undefined, is_forced: false, allows: all };
  }
  if (typeof given === "string") {
    return { value: given, is_forced: given === "required", allows: all };
  }
  const choice = objectOf(given);
  if (choice["type"] === "allowed_tools") return allowedTools(choice, tools);
  const name = chosenName(choice, tools);
  if (name === null) {
    const message =
      "`tool_choice` names a tool that only a provider with a Responses API runs; " +
      'name a function or custom tool of `tools`, or set it to "auto".';
    findings.refuse({ param: "tool_choice", message });
    return { value: undefined, is_forced: false, allows: all };
  }
  return { value: { type: "function", function: { name } }, is_forced: true, allows: all };
}

/** Few vendors know a list of allowed tools; a shorter list of tools says the same to all. */
function allowedTools({ mode, tools: allowed }: JsonObject, tools: ChatTools): Choice {
  const names = new Set(arrayOf(allowed).map((entry) => chosenName(objectOf(entry), tools)));
  return {
    value: mode === "required" ? "required" : "auto",
    is_forced: mode === "required",
    allows: (name) => names.has(name),
  };
}

function chosenName({ type, name, namespace }: JsonObject, tools: ChatTools): string | null {
  if ((type !== "function" && type !== "custom") || !isFilledText(name)) return null;
  return tools.nameOf(name, isFilledText(namespace) ? namespace : null);
}

function nameIn(entry: JsonObject): string {
  return String(objectOf(entry["function"])["name"]);
}
