import type { SeenTalk, Wire } from "./played.ts";

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectOf) : [];
const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : listOf(value)
        .map(({ text }) => (typeof text === "string" ? text : ""))
        .join("");

/** Reads what the script goes by from a body of any of the three dialects. */
export function seenTalk(wire: Wire, body: Json): SeenTalk {
  return { wire, ...READERS[wire](body) };
}

const READERS: Readonly<Record<Wire, (body: Json) => Omit<SeenTalk, "wire">>> = {
  chat(body) {
    const messages = listOf(body["messages"]);
    return {
      tools: listOf(body["tools"]).map((tool) => String(objectOf(tool["function"])["name"])),
      results: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
      images: messages
        .flatMap(({ content }) => listOf(content))
        .filter(({ type }) => type === "image_url")
        .map((part) => imageOfUrl(objectOf(part["image_url"])["url"])),
      has_schema: objectOf(body["response_format"])["type"] === "json_schema",
    };
  },
  messages(body) {
    const blocks = listOf(body["messages"]).flatMap(({ content }) => listOf(content));
    return {
      tools: listOf(body["tools"]).map(({ name }) => String(name)),
      results: blocks
        .filter(({ type }) => type === "tool_result")
        .map(({ content }) => textOf(content)),
      images: blocks
        .filter(({ type }) => type === "image")
        .map((block) => imageOfSource(objectOf(block["source"]))),
      has_schema: objectOf(objectOf(body["output_config"])["format"])["type"] === "json_schema",
    };
  },
  responses(body) {
    const input = listOf(body["input"]);
    return {
      tools: listOf(body["tools"]).map(({ name }) => String(name)),
      results: input
        .filter(({ type }) => type === "function_call_output")
        .map(({ output }) => textOf(output)),
      images: input
        .flatMap(({ content }) => listOf(content))
        .filter(({ type }) => type === "input_image")
        .map((part) => imageOfUrl(part["image_url"])),
      has_schema: objectOf(objectOf(body["text"])["format"])["type"] === "json_schema",
    };
  },
};

function imageOfUrl(url: unknown): string {
  const [, type, bytes] = /^data:([^;]+);base64,(.*)$/.exec(String(url)) ?? [];
  return type === undefined ? String(url) : named(type, bytes ?? "");
}

function imageOfSource({ type, media_type, data, url }: Json): string {
  return type === "base64" ? named(String(media_type), String(data)) : String(url);
}

const named = (type: string, data: string) =>
  `${type} of ${Buffer.from(data, "base64").length} bytes`;
