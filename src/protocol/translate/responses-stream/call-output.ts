import { isObject, type JsonObject, parseJson } from "../../openai/fields.ts";
import type { ResponsesTool } from "../../responses/response-tools.ts";
import type { Emit } from "./event-log.ts";
import type { OpenOutput, OutputPlace, OutputStatus } from "./open-output.ts";

export interface CallOutput extends OpenOutput {
  push(fragment: string): void;
}

interface CallFacts {
  readonly call_id: string;
  readonly tool: ResponsesTool;
}

/** A call of one of the client's tools, in the form in which the client offered it. */
export function openCall(place: OutputPlace, emit: Emit, facts: CallFacts): CallOutput {
  return facts.tool.kind === "custom"
    ? openCustom(place, emit, facts)
    : openFunction(place, emit, facts);
}

/** No arguments at all are an empty object: clients parse what they get. */
const NO_ARGUMENTS = "{}";

function openFunction({ output_index, id }: OutputPlace, emit: Emit, facts: CallFacts): CallOutput {
  let said = "";
  const place = { item_id: id, output_index };

  function call(status: OutputStatus): JsonObject {
    const named = namedCall(facts);
    return { id, type: "function_call", status, ...named, arguments: said };
  }

  function push(delta: string): void {
    if (delta === "") return;
    said += delta;
    emit("response.function_call_arguments.delta", { ...place, delta });
  }

  emit("response.output_item.added", { output_index, item: call("in_progress") });
  return {
    output_index,
    push,
    close(status) {
      if (said.trim() === "") push(NO_ARGUMENTS);
      const item = call(status);
      if (isCut(said, status)) return item;
      const { name } = facts.tool;
      emit("response.function_call_arguments.done", { ...place, name, arguments: said });
      emit("response.output_item.done", { output_index, item });
      return item;
    },
    sofar: call,
  };
}

/** The input is known when the arguments around it are whole, and is told in one piece. */
function openCustom({ output_index, id }: OutputPlace, emit: Emit, facts: CallFacts): CallOutput {
  let said = "";
  const place = { item_id: id, output_index };

  function call(status: OutputStatus): JsonObject {
    const input = status === "in_progress" ? "" : customInput(said);
    return { id, type: "custom_tool_call", status, ...namedCall(facts), input };
  }

  emit("response.output_item.added", { output_index, item: call("in_progress") });
  return {
    output_index,
    push(fragment) {
      said += fragment;
    },
    close(status) {
      const item = call(status);
      if (isCut(said, status)) return item;
      const input = customInput(said);
      if (input !== "") emit("response.custom_tool_call_input.delta", { ...place, delta: input });
      emit("response.custom_tool_call_input.done", { ...place, input });
      emit("response.output_item.done", { output_index, item });
      return item;
    },
    sofar: call,
  };
}

function namedCall({ call_id, tool: { name, namespace } }: CallFacts): JsonObject {
  return { call_id, name, ...(namespace !== null && { namespace }) };
}

/** Agents run a call as soon as it is done: one that broke off at a limit never is. */
function isCut(said: string, status: OutputStatus): boolean {
  return status === "incomplete" && parseJson(said) === undefined;
}

/** The text of a custom call. Models forget the object around it, or call its member otherwise. */
export function customInput(said: string): string {
  const parsed = parseJson(said);
  if (typeof parsed === "string") return parsed;
  if (!isObject(parsed)) return said;
  const { input } = parsed;
  if (typeof input === "string") return input;
  const members = Object.values(parsed);
  const [only] = members;
  return members.length === 1 && typeof only === "string" ? only : said;
}
