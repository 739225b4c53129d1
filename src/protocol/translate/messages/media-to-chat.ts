import { isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";
import { type PlacedBlock, placedBlocks } from "./turn.ts";

/** A block of a user's turn as chat parts; none if it cannot be said in chat. */
export function partsOf({ block, param }: PlacedBlock, findings: Findings): readonly JsonObject[] {
  if (block["citations"] !== undefined) findings.lose("messages.citations");
  switch (block["type"]) {
    case "text":
      return [withCacheControl({ type: "text", text: textOf(block["text"]) }, block)];
    case "image":
      return imageParts({ block, param }, findings);
    case "document":
      return documentParts({ block, param }, findings);
    case "search_result":
      return [withCacheControl({ type: "text", text: searchText(block) }, block)];
    case "tool_reference":
      return [{ type: "text", text: `[tool reference: ${textOf(block["tool_name"])}]` }];
    default:
      findings.refuse({ param, message: refusalOf(block["type"]) });
      return [];
  }
}

/** Kept for targets that lead to Claude; others have it taken out with the rest they do not know. */
export function withCacheControl(part: JsonObject, { cache_control }: JsonObject): JsonObject {
  return cache_control === undefined || cache_control === null ? part : { ...part, cache_control };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function refusalOf(type: unknown): string {
  const name = plainWord(type, "unknown");
  return `A block \`${name}\` is for Anthropic's own models; leave it out or name such a target.`;
}

const FILE_ID =
  "A file id is known only to the vendor that stored the file; send the content as base64, or name that vendor's target.";

function imageParts({ block, param }: PlacedBlock, findings: Findings): readonly JsonObject[] {
  const { type, media_type, data, url } = objectOf(block["source"]);
  const address = type === "base64" ? `data:${textOf(media_type)};base64,${textOf(data)}` : url;
  if (type === "file" || !isFilledText(address)) {
    findings.refuse({
      param: `${param}.source`,
      message: type === "file" ? FILE_ID : "An image needs its data or a URL.",
    });
    return [];
  }
  return [withCacheControl({ type: "image_url", image_url: { url: address } }, block)];
}

function documentParts(placed: PlacedBlock, findings: Findings): readonly JsonObject[] {
  const { block, param } = placed;
  const source = objectOf(block["source"]);
  if (block["context"] !== undefined) findings.lose("messages.context");
  switch (source["type"]) {
    case "base64": {
      const file_data = `data:${textOf(source["media_type"])};base64,${textOf(source["data"])}`;
      const filename = isFilledText(block["title"]) ? block["title"] : "document.pdf";
      return [withCacheControl({ type: "file", file: { filename, file_data } }, block)];
    }
    case "text":
      return [
        withCacheControl({ type: "text", text: titled(block, textOf(source["data"])) }, block),
      ];
    case "content":
      return placedBlocks(source["content"], `${param}.source.content`).flatMap((inner) =>
        partsOf(inner, findings),
      );
    default:
      findings.refuse({
        param: `${param}.source`,
        message:
          source["type"] === "file"
            ? FILE_ID
            : "A document by URL is read by Anthropic's servers only; send it as base64 or text.",
      });
      return [];
  }
}

function titled({ title }: JsonObject, text: string): string {
  return isFilledText(title) ? `${title}\n\n${text}` : text;
}

function searchText({ title, source, content }: JsonObject): string {
  const texts = placedBlocks(content, "").map(({ block }) => textOf(block["text"]));
  return [`${textOf(title)} (${textOf(source)})`, ...texts].join("\n");
}
