import { isTooDeep } from "../../protocol/json/nesting.ts";

/** One line of input, or why it cannot be read. */
export type InputLine =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Longer lines are passed over without being kept, so that a wrong file cannot fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Every line of `input` as a JSON object; a last line needs no line feed. */
export async function* jsonLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finish = (): InputLine => {
    const line: InputLine =
      size > maxBytes
        ? { kind: "unreadable", problem: `the line is longer than ${maxBytes} bytes` }
        : readLine(Buffer.concat(parts));
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      take(rest.subarray(0, end));
      yield finish();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) take(rest);
  }
  if (size > 0) yield finish();
}

function readLine(bytes: Uint8Array): InputLine {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { kind: "unreadable", problem: "the line is not UTF-8" };
  }
  if (text.trim() === "") return { kind: "unreadable", problem: "the line is empty" };
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return { kind: "unreadable", problem: "the line is JSON but no object" };
    if (isTooDeep(value)) return { kind: "unreadable", problem: "the line nests too deeply" };
    return { kind: "object", value };
  } catch (error) {
    return { kind: "unreadable", problem: `the line is not JSON: ${reasonOf(error)}` };
  }
}

/** The parser's own words; they may quote a word of the line, which came from the same person. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : String(error);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
