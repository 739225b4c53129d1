import { type BodyProblem, checkForms, type Forms, problem } from "../body-problem.ts";
import { isTooDeep } from "../json/nesting.ts";
import { isFilledText, isObject, type JsonObject } from "../openai/fields.ts";

/**
 * What is wrong with a body for `/v1/responses`; only what no target could make sense of. A body
 * without a problem can be translated and repeated in answers.
 */
export function checkResponsesBody(body: unknown): BodyProblem | null {
  if (!isObject(body)) return problem(null, "The body must be a JSON object.");
  if (isTooDeep(body)) return problem(null, "The body nests too deeply; flatten it.");
  return (
    checkForms(body, FORMS) ??
    checkInput(body) ??
    checkList(body["tools"], "tools", checkTool) ??
    checkChoice(body["tool_choice"])
  );
}

const isCap = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1;
const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";

/** Members of one form, and what that is. */
const FORMS: Forms = {
  model: [isText, "a string such as `auto`, `pool:main` or a model name"],
  stream: [isFlag, "true or false"],
  parallel_tool_calls: [isFlag, "true or false"],
  max_output_tokens: [isCap, "the most tokens to answer with, a whole number of at least 1"],
  instructions: [(value) => isText(value) || Array.isArray(value), "a text"],
  reasoning: [isObject, 'an object such as `{"effort":"low"}`'],
  text: [isObject, 'an object such as `{"format":{"type":"text"}}`'],
  include: [Array.isArray, "a list of names"],
};

/** What may stand in for `input`. */
const INSTEAD = ["prompt", "previous_response_id", "conversation"];

function checkInput(body: JsonObject): BodyProblem | null {
  const { input, messages } = body;
  if (typeof input === "string") return null;
  if (input === undefined && INSTEAD.some((name) => isGiven(body[name]))) return null;
  if (!Array.isArray(input) || input.length === 0) {
    const wanted = "a text or a list of at least one item";
    if (input !== undefined) return problem("input", `\`input\` must be ${wanted}.`);
    const hint = messages === undefined ? "" : "; `messages` belongs to `/v1/chat/completions`";
    return problem("input", `\`input\` is missing: add ${wanted}${hint}.`);
  }
  return checkList(input, "input", checkEntry);
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

type Check = (entry: JsonObject, param: string) => BodyProblem | null;

function checkList(list: unknown, name: string, check: Check): BodyProblem | null {
  if (!isGiven(list)) return null;
  if (!Array.isArray(list)) return problem(name, `\`${name}\` must be a list.`);
  for (const [index, entry] of list.entries()) {
    const param = `${name}[${index}]`;
    const found = isObject(entry)
      ? check(entry, param)
      : problem(param, `\`${param}\` must be an object.`);
    if (found) return found;
  }
  return null;
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

function checkEntry(entry: JsonObject, param: string): BodyProblem | null {
  const { type, role } = entry;
  if (type === undefined && role === undefined) {
    return problem(param, `\`${param}\` must have a \`type\`, or be a message with a \`role\`.`);
  }
  if (type !== undefined && !isFilledText(type)) {
    return problem(`${param}.type`, `\`${param}.type\` must be a name such as \`message\`.`);
  }
  if (type === undefined || type === "message") return checkMessage(entry, param);
  return checkCall(entry, param);
}

function checkMessage({ role, content }: JsonObject, param: string): BodyProblem | null {
  if (!ROLES.has(role)) {
    return problem(
      `${param}.role`,
      `\`${param}.role\` must be user, assistant, system or developer; results of tools are ` +
        "`function_call_output` items.",
    );
  }
  if (typeof content === "string") return null;
  const wanted = "a text or a list of parts such as `input_text`";
  if (!Array.isArray(content)) {
    return problem(`${param}.content`, `\`${param}.content\` must be ${wanted}.`);
  }
  return checkList(content, `${param}.content`, (part, at) =>
    isFilledText(part["type"])
      ? null
      : problem(at, `\`${at}\` must have a \`type\` such as \`input_text\`.`),
  );
}

/** What the items of calls and results cannot be without. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  function_call: ["call_id", "name"],
  custom_tool_call: ["call_id", "name"],
  function_call_output: ["call_id"],
  custom_tool_call_output: ["call_id"],
};

function checkCall(entry: JsonObject, param: string): BodyProblem | null {
  const type = String(entry["type"]);
  const needed = Object.hasOwn(NEEDED, type) ? NEEDED[type] : [];
  const name = needed?.find((member) => !isFilledText(entry[member]));
  if (name === undefined) return null;
  return problem(`${param}.${name}`, `\`${param}.${name}\` must be a text: a \`${type}\` has one.`);
}

function checkTool(tool: JsonObject, param: string): BodyProblem | null {
  const { type, name } = tool;
  if (!isFilledText(type)) {
    return problem(param, `\`${param}\` must have a \`type\` such as \`function\`.`);
  }
  const isNamed = type === "function" || type === "custom" || type === "namespace";
  if (!isNamed || isFilledText(name)) return null;
  const isChat = isObject(tool["function"]) || isObject(tool["custom"]);
  const fix = isChat
    ? "it has the form of chat completions; here `name` and `parameters` stand in the tool itself"
    : "add the name that the model is to call";
  return problem(`${param}.name`, `\`${param}.name\` is missing: ${fix}.`);
}

const CHOICES: ReadonlySet<unknown> = new Set(["auto", "none", "required"]);

function checkChoice(choice: unknown): BodyProblem | null {
  const named = isObject(choice) && isFilledText(choice["type"]);
  if (!isGiven(choice) || CHOICES.has(choice) || named) return null;
  const wanted = "auto, none, required or an object that names a tool by `type` and `name`";
  return problem("tool_choice", `\`tool_choice\` must be ${wanted}.`);
}
