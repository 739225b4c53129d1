import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";

/** Text of a part, whatever it is called in its place; undefined if it is no text. */
export function partText({ type, text }: JsonObject): string | undefined {
  const isText = type === "input_text" || type === "output_text" || type === "text";
  return isText && typeof text === "string" ? text : undefined;
}

/** Content as chat parts; `path` is where it stands, for what must be refused. */
export function chatParts(content: unknown, path: string, findings: Findings): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return arrayOf(content).flatMap((value, index) => {
    const part = chatPart(objectOf(value));
    if (part !== null && part["text"] !== "") return [part];
    if (part === null) findings.refuse(unknownPart(objectOf(value), `${path}[${index}]`));
    return [];
  });
}

/** Parts as a text where they are nothing else: more vendors take a string than a list. */
export function chatContent(parts: readonly JsonObject[]): unknown {
  const [only] = parts;
  return parts.length === 1 && only && only["type"] === "text" ? only["text"] : parts;
}

function chatPart(part: JsonObject): JsonObject | null {
  const text = partText(part);
  if (text !== undefined) return { type: "text", text };
  const { type, image_url: url, detail, file_data: data, filename, input_audio: audio } = part;
  if (type === "input_image" && isFilledText(url)) {
    return { type: "image_url", image_url: { url, ...(isFilledText(detail) && { detail }) } };
  }
  if (type === "input_file" && isFilledText(data)) {
    return {
      type: "file",
      file: { file_data: data, ...(isFilledText(filename) && { filename }) },
    };
  }
  return type === "input_audio" && isObject(audio) ? { type, input_audio: audio } : null;
}

function unknownPart({ type, file_id: file }: JsonObject, path: string) {
  const kind = plainWord(type, "unknown");
  const message = isFilledText(file)
    ? `\`${path}\` names a file kept by one provider; send the content itself, as \`image_url\` or \`file_data\`.`
    : `\`${path}\` is content of type \`${kind}\`, which only a provider with a Responses API reads; ` +
      "send text, `image_url` or `file_data`.";
  return { param: path, message };
}
