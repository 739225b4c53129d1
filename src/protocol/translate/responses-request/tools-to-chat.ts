import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { ResponsesTool, ResponsesTools } from "../../responses/response-tools.ts";
import { type Findings, plainWord } from "../findings.ts";

/** The client's tools as functions, and what each is called on either side. */
export interface ChatTools {
  readonly functions: readonly JsonObject[];
  readonly names: ResponsesTools;
  /** The function name of a tool that is called or chosen. */
  nameOf(name: string, namespace: string | null): string;
}

/** A tool and where it stands in the body. */
interface Given {
  readonly tool: JsonObject;
  readonly namespace: string | null;
  readonly path: string;
}

/** What agents offer as a matter of course and do without. */
const OPTIONAL = /^(?:web_search|tool_search)/;

/** The longest function name that vendors of chat take. */
const MAX_NAME = 64;

/** Reads the tools of a body, and those that its input brings along. */
export function toolsToChat(body: JsonObject, findings: Findings): ChatTools {
  const names = new Map<string, ResponsesTool>();
  const known = new Map<string, string>();
  const freeName = createFreeNames(names);
  const functions: JsonObject[] = [];
  for (const { tool, namespace, path } of givenTools(body)) {
    const { type, name } = tool;
    if ((type !== "function" && type !== "custom") || !isFilledText(name)) {
      reportTool(tool, path, findings);
      continue;
    }
    const key = keyOf(name, namespace);
    if (known.has(key)) continue;
    const flat = freeName(flatName(name, namespace));
    known.set(key, flat);
    names.set(flat, { kind: type, name, namespace });
    functions.push({ type: "function", function: functionOf(tool, flat) });
    if (isObject(tool["format"]) && tool["format"]["type"] === "grammar") {
      findings.lose("tools.format");
    }
  }
  const nameOf = (name: string, namespace: string | null) =>
    known.get(keyOf(name, namespace)) ?? flatName(name, namespace);
  return { functions, names, nameOf };
}

/** Those of `tools`, then those that earlier turns added, namespaces opened. */
function givenTools({ tools, input }: JsonObject): Given[] {
  const lists = arrayOf(input).map((entry, index) => {
    const { type, tools: added } = objectOf(entry);
    const adds = type === "additional_tools" || type === "tool_search_output";
    return { list: adds ? added : [], path: `input[${index}].tools` };
  });
  return [{ list: tools, path: "tools" }, ...lists].flatMap(({ list, path }) =>
    arrayOf(list).flatMap((tool, index) => opened(objectOf(tool), `${path}[${index}]`)),
  );
}

function opened(tool: JsonObject, path: string): Given[] {
  const { type, name, tools } = tool;
  if (type !== "namespace" || !isFilledText(name)) return [{ tool, namespace: null, path }];
  return arrayOf(tools).map((member, index) => ({
    tool: objectOf(member),
    namespace: name,
    path: `${path}.tools[${index}]`,
  }));
}

function reportTool({ type }: JsonObject, path: string, findings: Findings): void {
  const kind = plainWord(type, "tool");
  if (OPTIONAL.test(kind)) {
    findings.lose(`tools.${kind}`);
    return;
  }
  findings.refuse({
    param: path,
    message:
      `\`${path}\` is a \`${kind}\` tool, which only a provider with a Responses API runs; ` +
      "leave it out, offer it as a `function`, or ask for a target of such a provider.",
  });
}

const keyOf = (name: string, namespace: string | null) => JSON.stringify([namespace, name]);

/** `ns__name`, in the characters and the length that vendors take. */
function flatName(name: string, namespace: string | null): string {
  if (namespace === null) return name;
  const joint = namespace.endsWith("__") ? "" : "__";
  return `${namespace}${joint}${name}`.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME);
}

/** Room for the number behind a name that others have. */
const NUMBER_LENGTH = 8;

/** Gives a name, or one like it that no other tool has. */
function createFreeNames(taken: ResponsesTools): (name: string) => string {
  /** By stem, the number that its next name is to try. */
  const numbers = new Map<string, number>();
  return (name) => {
    if (!taken.has(name)) return name;
    const stem = name.slice(0, MAX_NAME - NUMBER_LENGTH);
    let number = numbers.get(stem) ?? 2;
    while (taken.has(`${stem}_${number}`)) number++;
    numbers.set(stem, number + 1);
    return `${stem}_${number}`;
  };
}

function functionOf(tool: JsonObject, name: string): JsonObject {
  const { type, description, parameters, strict } = tool;
  if (type === "custom") return customFunction(tool, name);
  return {
    name,
    ...(isFilledText(description) && { description }),
    parameters: isObject(parameters) ? parameters : { type: "object", properties: {} },
    ...(typeof strict === "boolean" && { strict }),
  };
}

/** A tool of free text is a function of one string; a grammar can only be described. */
function customFunction({ description, format }: JsonObject, name: string): JsonObject {
  const { type, syntax, definition } = objectOf(format);
  const grammar =
    type === "grammar" && isFilledText(definition)
      ? `\`input\` must match this ${isFilledText(syntax) ? `${syntax} ` : ""}grammar:\n${definition}`
      : null;
  const words = [description, grammar].filter(isFilledText);
  return {
    name,
    ...(words.length > 0 && { description: words.join("\n\n") }),
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "The whole input, as plain text." } },
      required: ["input"],
      additionalProperties: false,
    },
  };
}
