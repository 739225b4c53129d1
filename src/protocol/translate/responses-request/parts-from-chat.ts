import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";

/** The text of chat content, the texts of its parts joined. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return arrayOf(content)
    .map((part) => objectOf(part)["text"])
    .filter(isFilledText)
    .join("");
}

/** Chat content as that of an item; `path` is where its message stands. */
export function contentFromChat(
  content: unknown,
  path: string,
  findings: Findings,
): string | readonly JsonObject[] {
  if (!Array.isArray(content)) return textOf(content);
  return arrayOf(content).flatMap((value, index) => {
    const given = objectOf(value);
    if (given["cache_control"] !== undefined) findings.lose("messages.cache_control");
    const part = partOf(given);
    if (part) return [part];
    findings.refuse(unknownPart(given, `${path}.content[${index}]`));
    return [];
  });
}

function partOf(part: JsonObject): JsonObject | undefined {
  const { type, text } = part;
  if (type === "text" && typeof text === "string") return { type: "input_text", text };
  const { url, detail } = objectOf(part["image_url"]);
  if (type === "image_url" && isFilledText(url)) {
    return { type: "input_image", image_url: url, detail: isFilledText(detail) ? detail : "auto" };
  }
  const { file_data, file_id, filename } = objectOf(part["file"]);
  if (type !== "file" || !(isFilledText(file_data) || isFilledText(file_id))) return undefined;
  const given = isFilledText(file_data) ? { file_data } : { file_id };
  return { type: "input_file", ...given, ...(isFilledText(filename) && { filename }) };
}

function unknownPart({ type }: JsonObject, param: string) {
  const kind = plainWord(type, "unknown");
  return {
    param,
    message:
      `\`${param}\` is content of type \`${kind}\`, which the target's Responses API does not take; ` +
      "send text, `image_url` or `file`, or name another target.",
  };
}
