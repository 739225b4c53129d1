import type { Capabilities } from "../catalog/model-card.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import { isObject } from "../protocol/openai/fields.ts";

/** What a request cannot do without. */
export type Demand = Exclude<keyof Capabilities, "reasoning">;

type Body = Readonly<Record<string, unknown>>;

/** Whether the answer is to be a stream. */
export function isStream(body: Body, dialect: Dialect): boolean {
  return dialect !== "embeddings" && body["stream"] === true;
}

/** What a conversation, in its chat form, needs of a model; other requests want nothing but text. */
export function demandsOf(body: Body, dialect: Dialect): readonly Demand[] {
  if (!isTalk(dialect)) return [];
  const demands: Demand[] = [];
  if (wantsTools(body)) demands.push("tools");
  if (hasImages(body)) demands.push("vision");
  if (wantsJson(body)) demands.push("json");
  return demands;
}

function wantsTools({ tools, functions, tool_choice }: Body): boolean {
  return tool_choice !== "none" && (isFilled(tools) || isFilled(functions));
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function wantsJson(body: Body): boolean {
  const type = memberOf(body["response_format"], "type");
  return type === "json_object" || type === "json_schema";
}

function hasImages({ messages }: Body): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some((message) => {
    const content = memberOf(message, "content");
    return Array.isArray(content) && content.some((part) => isImage(memberOf(part, "type")));
  });
}

function isImage(type: unknown): boolean {
  return type === "image_url" || type === "input_image" || type === "image";
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
