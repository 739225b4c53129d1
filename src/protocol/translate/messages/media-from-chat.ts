import { isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";
import { withCacheControl } from "./media-to-chat.ts";

const IMAGE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const DATA_URL = /^data:([^;,]*)(?:;[^,]*?)?;base64,/i;

/** A chat content part and where the client's body has it. */
export interface PlacedPart {
  readonly part: JsonObject;
  readonly param: string;
}

/** A part as blocks; none if it says nothing or cannot be said in Messages. */
export function blocksOfPart(placed: PlacedPart, findings: Findings): readonly JsonObject[] {
  const { part, param } = placed;
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      return textBlocks(part["text"], part);
    case "refusal":
      return textBlocks(part["refusal"], part);
    case "image_url":
      return imageBlocks(placed, findings);
    case "file":
      return fileBlocks(placed, findings);
    default:
      findings.refuse({ param, message: refusalOf(part["type"]) });
      return [];
  }
}

/** The API refuses text of nothing but white space. */
export function textBlocks(text: unknown, part: JsonObject = {}): readonly JsonObject[] {
  if (typeof text !== "string" || text.trim() === "") return [];
  return [withCacheControl({ type: "text", text }, part)];
}

function refusalOf(type: unknown): string {
  const name = plainWord(type, "unknown");
  return `A content part \`${name}\` cannot be sent to a Claude model; send text, images or PDF files.`;
}

interface Encoded {
  readonly media_type: string;
  readonly data: string;
}

function decodeDataUrl(url: string): Encoded | null {
  const found = DATA_URL.exec(url);
  if (!found) return null;
  const media_type = (found[1] ?? "").trim().toLowerCase();
  return { media_type, data: url.slice(found[0].length) };
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function imageBlocks({ part, param }: PlacedPart, findings: Findings): readonly JsonObject[] {
  const image = part["image_url"];
  const { url, detail } = typeof image === "string" ? { url: image } : objectOf(image);
  if (isFilledText(detail) && detail !== "auto") findings.lose("messages.image_url.detail");
  const text = isFilledText(url) ? url : "";
  if (isWebUrl(text)) return [imageBlock(part, { type: "url", url: text })];
  const encoded = decodeDataUrl(text);
  const media_type = encoded?.media_type.replace("image/jpg", "image/jpeg") ?? "";
  if (!encoded || !IMAGE_TYPES.has(media_type)) {
    findings.refuse({
      param: `${param}.image_url`,
      message:
        "Claude models read images of type JPEG, PNG, GIF or WebP, as a base64 `data:` URL or at an http(s) URL.",
    });
    return [];
  }
  return [imageBlock(part, { type: "base64", media_type, data: encoded.data })];
}

function imageBlock(part: JsonObject, source: JsonObject): JsonObject {
  return withCacheControl({ type: "image", source }, part);
}

const PDF = "application/pdf";

function fileBlocks({ part, param }: PlacedPart, findings: Findings): readonly JsonObject[] {
  const { file_data, file_id, filename } = objectOf(part["file"]);
  const source = isFilledText(file_data) ? documentSource(file_data, filename) : null;
  if (!source) {
    findings.refuse({
      param: `${param}.file`,
      message: isFilledText(file_id)
        ? "A file id is known only to the vendor that stored the file; send `file_data` instead."
        : "Claude models read PDF and plain text files, in `file_data` as a base64 `data:` URL.",
    });
    return [];
  }
  const title = isFilledText(filename) && { title: filename };
  return [withCacheControl({ type: "document", source, ...title }, part)];
}

function documentSource(file: string, filename: unknown): JsonObject | null {
  if (isWebUrl(file)) return { type: "url", url: file };
  const isBarePdf =
    typeof filename === "string" && /\.pdf$/i.test(filename) && !/^data:/i.test(file);
  const bare = { media_type: isBarePdf ? PDF : "", data: file };
  const { media_type, data } = decodeDataUrl(file) ?? bare;
  if (media_type === PDF) return { type: "base64", media_type, data };
  if (!media_type.startsWith("text/")) return null;
  const text = decodeText(data);
  return text === null ? null : { type: "text", media_type: "text/plain", data: text };
}

/** Base64 of UTF-8; null for what is neither. */
function decodeText(data: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
