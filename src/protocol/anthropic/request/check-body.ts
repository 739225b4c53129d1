import { type BodyProblem, checkForms, type Forms, problem } from "../../body-problem.ts";
import { isFilledText, isObject, type JsonObject } from "../../openai/fields.ts";

/**
 * What is wrong with a body for `/v1/messages`, or for counting its tokens, which takes no cap. Only
 * what no model could make sense of: what blocks, tools and settings hold is for the target to judge.
 */
export function checkMessagesBody(
  body: unknown,
  purpose: "answer" | "count" = "answer",
): BodyProblem | null {
  if (!isObject(body)) return problem(null, "The body must be a JSON object.");
  return (
    checkModel(body) ??
    (purpose === "answer" ? checkCap(body) : null) ??
    checkMessages(body["messages"]) ??
    checkSystem(body) ??
    checkTools(body["tools"]) ??
    checkStream(body["stream"]) ??
    checkForms(body, FORMS)
  );
}

function checkModel({ model }: JsonObject): BodyProblem | null {
  if (model === undefined || typeof model === "string") return null;
  return problem("model", "`model` must be a string such as `auto`, `pool:main` or a model name.");
}

function checkCap({ max_tokens }: JsonObject): BodyProblem | null {
  if (typeof max_tokens === "number" && Number.isInteger(max_tokens) && max_tokens >= 1)
    return null;
  const wanted = "the most tokens to answer with, a whole number of at least 1";
  return max_tokens === undefined
    ? problem("max_tokens", `\`max_tokens\` is missing: add ${wanted}.`)
    : problem("max_tokens", `\`max_tokens\` must be ${wanted}.`);
}

function checkMessages(messages: unknown): BodyProblem | null {
  if (messages === undefined) {
    return problem("messages", "`messages` is missing: add a list of at least one message.");
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    return problem("messages", "`messages` must be a list of at least one message.");
  }
  for (const [index, message] of messages.entries()) {
    const found = checkMessage(message, `messages[${index}]`);
    if (found) return found;
  }
  return null;
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

function checkMessage(message: unknown, param: string): BodyProblem | null {
  if (!isObject(message)) {
    return problem(param, `\`${param}\` must be an object with \`role\` and \`content\`.`);
  }
  if (!ROLES.has(message["role"])) {
    const role = `${param}.role`;
    return problem(
      role,
      `\`${role}\` must be \`user\`, \`assistant\` or \`system\`; results of tools are ` +
        "`tool_result` blocks in a message of the user.",
    );
  }
  return checkContent(message["content"], `${param}.content`);
}

function checkContent(content: unknown, param: string): BodyProblem | null {
  if (typeof content === "string") return null;
  if (!Array.isArray(content)) {
    return problem(param, `\`${param}\` must be a text or a list of content blocks.`);
  }
  const at = content.findIndex((block) => !isObject(block) || !isFilledText(block["type"]));
  if (at < 0) return null;
  const block = `${param}[${at}]`;
  return problem(block, `\`${block}\` must be an object with \`type\`, such as \`text\`.`);
}

function checkSystem({ system }: JsonObject): BodyProblem | null {
  if (system === undefined || typeof system === "string") return null;
  if (Array.isArray(system)) return checkContent(system, "system");
  const wanted = "`system` must be a text or a list of text blocks";
  return problem("system", system === null ? `${wanted}; leave it out for none.` : `${wanted}.`);
}

function checkTools(tools: unknown): BodyProblem | null {
  if (tools === undefined) return null;
  if (!Array.isArray(tools)) return problem("tools", "`tools` must be a list of tools.");
  for (const [index, tool] of tools.entries()) {
    // A toolset of a server has a type and no name.
    const isChat = isObject(tool) && isObject(tool["function"]);
    const isNamed = isObject(tool) && (isFilledText(tool["name"]) || isFilledText(tool["type"]));
    if (isNamed && !isChat) continue;
    const param = `tools[${index}]`;
    const fix = "with `name`, `description` and `input_schema`";
    return problem(
      param,
      isChat
        ? `\`${param}\` has the form of chat completions; here a tool is an object ${fix}.`
        : `\`${param}\` must be an object ${fix}.`,
    );
  }
  return null;
}

const isNumber = (value: unknown) => typeof value === "number";
const isTyped = (value: unknown) => isObject(value) && isFilledText(value["type"]);

/** Settings of one form, and what that is. A translation would lose any other without a word. */
const FORMS: Forms = {
  temperature: [isNumber, "a number"],
  top_p: [isNumber, "a number"],
  top_k: [isNumber, "a number"],
  stop_sequences: [isTexts, "a list of texts"],
  thinking: [isTyped, 'an object such as `{"type":"adaptive"}`'],
  output_config: [isObject, 'an object such as `{"effort":"low"}`'],
  tool_choice: [isTyped, 'an object such as `{"type":"auto"}`'],
  metadata: [isObject, 'an object such as `{"user_id":"…"}`'],
};

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function checkStream(stream: unknown): BodyProblem | null {
  if (stream === undefined || typeof stream === "boolean") return null;
  return problem("stream", "`stream` must be true or false.");
}
