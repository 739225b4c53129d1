import { applyEdits, joinBytes } from "../json/edit.ts";
import type { Frame } from "../sse/framer.ts";
import { type ContentFacts, isContentBearing } from "./content.ts";
import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "./fields.ts";
import { isErrorFinish } from "./finish-reason.ts";
import { createChoices } from "./stream-choices.ts";
import { readUsage, type TokenUsage } from "./usage.ts";

/** What became of one upstream frame. */
export interface Step {
  /** The bytes to forward; empty if the frame is dropped. */
  readonly out: Uint8Array;
  readonly is_content: boolean;
  readonly is_done: boolean;
  /** The payload of an error frame, for the classifier; nothing of it is forwarded. */
  readonly error: string | null;
}

/** What a stream has shown so far. */
export interface StreamFacts {
  readonly content: ContentFacts;
  /** Finish reason by choice index, as the upstream spelled it. */
  readonly finish: ReadonlyMap<number, string>;
  readonly usage: TokenUsage | null;
  /** Frames whose payload was no JSON. */
  readonly malformed_frames: number;
}

interface StreamOptions {
  readonly dialect: "chat" | "completions";
  /** Drop the usage-only chunk: the router asked for it, the client did not. */
  readonly drop_usage: boolean;
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the name of every edit made. */
  readonly onEdit: (edit: string) => void;
}

const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

/** Follows a chat or completions stream frame by frame, and repairs what SDKs cannot read. */
export function createStreamReader({ drop_usage, ...options }: StreamOptions) {
  const { onEdit } = options;
  const choices = createChoices(options);
  let usage: TokenUsage | null = null;
  let last: JsonObject = {};
  let malformed = 0;

  function readChunk(frame: Frame, data: string, chunk: JsonObject): Step {
    if (isErrorChunk(frame, chunk)) return { ...forward(NOTHING), error: data };
    last = chunk;
    usage = readUsage(chunk) ?? usage;
    const list = arrayOf(chunk["choices"]);
    if (drop_usage && list.length === 0 && isObject(chunk["usage"])) {
      onEdit("usage_chunk");
      return forward(NOTHING);
    }
    const before = isContentBearing(choices.content());
    const payload = encoder.encode(data);
    const edits = list.flatMap((value, at) => choices.read(objectOf(value), payload, at));
    const out = edits.length > 0 ? frameOf(frame.event, applyEdits(payload, edits)) : frame.raw;
    const is_content = !before && isContentBearing(choices.content());
    return { ...forward(closed(frame, out)), is_content };
  }

  /** A frame cut in mid-write may hold a whole second one; a literal inside a string never parses so. */
  function salvage(frame: Frame, data: string): Step {
    malformed++;
    for (let at = data.indexOf("data:"); at !== -1; at = data.indexOf("data:", at + 1)) {
      const rest = data.slice(at + 5).trim();
      const chunk = parseJson(rest);
      if (!isObject(chunk)) continue;
      onEdit("salvaged_frame");
      const raw = frameOf(frame.event, encoder.encode(rest));
      return readChunk({ ...frame, raw, data: rest, terminated: true }, rest, chunk);
    }
    onEdit("dropped_frame");
    return forward(NOTHING);
  }

  return {
    read(frame: Frame): Step {
      const { data } = frame;
      if (data === undefined) return readBare(frame);
      if (data.trim() === "[DONE]") {
        const finishes = encoder.encode(choices.missingFinishes(last));
        return { ...forward(joinBytes([finishes, closed(frame, frame.raw)])), is_done: true };
      }
      const parsed = parseJson(data);
      const chunk = Array.isArray(parsed) ? objectOf(parsed[0]) : parsed;
      return isObject(chunk) ? readChunk(frame, data, chunk) : salvage(frame, data);
    },
    facts(): StreamFacts {
      const content = choices.content();
      return { content, finish: choices.finish(), usage, malformed_frames: malformed };
    },
  };
}

const forward = (out: Uint8Array): Step => ({
  out,
  is_content: false,
  is_done: false,
  error: null,
});

/** A frame without data: a comment, a blank line, or an old server's bare `error:` field. */
function readBare(frame: Frame): Step {
  const text = new TextDecoder().decode(frame.raw);
  const [, error] = /^error: ?(.*)$/m.exec(text) ?? [];
  if (error !== undefined) return { ...forward(NOTHING), error };
  // What an unterminated comment or field would mean is lost with the connection anyway.
  return forward(frame.terminated ? frame.raw : NOTHING);
}

function isErrorChunk(frame: Frame, chunk: JsonObject): boolean {
  if (frame.event === "error") return true;
  if (chunk["error"] !== undefined && chunk["error"] !== null) return true;
  return arrayOf(chunk["choices"]).some((choice) => {
    const { finish_reason: finish, error } = objectOf(choice);
    return isErrorFinish(finish) || isObject(error);
  });
}

function frameOf(event: string | undefined, payload: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(payload).replaceAll("\n", "\ndata: ");
  return encoder.encode(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
}

/** SDKs lose an event that no blank line ends. */
function closed(frame: Frame, out: Uint8Array): Uint8Array {
  if (frame.terminated) return out;
  const isLineEnded = out.at(-1) === 0x0a || out.at(-1) === 0x0d;
  return joinBytes([out, encoder.encode(isLineEnded ? "\n" : "\n\n")]);
}
