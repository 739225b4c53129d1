import { createParser } from "eventsource-parser";

import { type ErrorFields, errorIn, NO_ERROR } from "./error-fields.ts";
import { isObject, parseJson } from "./openai/fields.ts";

/** What the text of an error answer turned out to be. */
export type BodyForm = "empty" | "json" | "sse" | "html" | "text";

/** An upstream's error answer, whatever envelope it came in. Every string is cut to a bound. */
export interface ErrorBody extends ErrorFields {
  readonly form: BodyForm;
}

/** Error answers are small; a larger one is not parsed but read as text. */
const MAX_PARSED = 1024 * 1024;
const MAX_TEXT = 2000;

/** Reads every envelope of the vendors we know, and never throws: what it cannot read is text. */
export function readErrorBody(text: string): ErrorBody {
  const body = text.trimStart().replace(/^\uFEFF/, "");
  if (body.trim() === "") return { ...NO_ERROR, form: "empty" };
  if (body.length > MAX_PARSED) return fromText(body);
  if (/^(?:data|event|id|retry|error)\s*:|^:/.test(body)) return fromEvents(body);
  const parsed = parseJson(body);
  if (isObject(parsed) || Array.isArray(parsed)) return { ...errorIn(parsed), form: "json" };
  if (typeof parsed === "string") return fromText(parsed);
  return fromLines(body) ?? fromText(body);
}

/** The error of a stream, or of its first event that has one. */
function fromEvents(body: string): ErrorBody {
  let found: ErrorFields | undefined;
  const take = (data: string, named: boolean) => {
    if (found !== undefined) return;
    const parsed = parseJson(data);
    const fields = parsed === undefined ? plainError(data) : errorIn(parsed);
    if (named || (parsed !== undefined && fields.is_error)) found = { ...fields, is_error: true };
  };
  const parser = createParser({
    onEvent: ({ event, data }) => take(data, event === "error"),
    // Old llama.cpp servers write the error as a field of its own: `error: {…}`.
    onError: (fault) => {
      if (fault.field === "error") take(fault.value ?? "", true);
    },
  });
  parser.feed(`${body}\n\n`);
  return { ...(found ?? NO_ERROR), form: "sse" };
}

/** Ollama's own API answers with one JSON object a line. */
function fromLines(body: string): ErrorBody | undefined {
  if (!body.startsWith("{")) return undefined;
  const lines = body.split(/\r?\n/, 50).map((line) => parseJson(line));
  if (!isObject(lines[0])) return undefined;
  const fields = lines.filter(isObject).map((line) => errorIn(line));
  return { ...(fields.find(({ is_error }) => is_error) ?? NO_ERROR), form: "json" };
}

/** A page of a proxy or CDN tells nothing beyond its status. */
function fromText(body: string): ErrorBody {
  if (/^<(?:!doctype|html|head|body|\?xml|center|h1|title)\b/i.test(body)) {
    return { ...NO_ERROR, form: "html" };
  }
  return { ...plainError(body), form: "text" };
}

function plainError(body: string): ErrorFields {
  return { ...NO_ERROR, message: body.slice(0, MAX_TEXT).trim() };
}
