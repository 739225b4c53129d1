import { createReplyReader } from "../../../canary/probes/reply-reader.ts";
import type { ProbeReply } from "../../../canary/probes/reply.ts";
import { classifyHttp } from "../../../health/classify.ts";
import { isErrorAnswer, isErrorChunk } from "../../../protocol/openai/answer-error.ts";
import { isObject, parseJson } from "../../../protocol/openai/fields.ts";
import { createFramer, type Frame } from "../../../protocol/sse/framer.ts";
import { FORMATS } from "../../../protocol/translate/formats.ts";
import type { DecoderParts } from "../../../protocol/translate/talk-format.ts";
import type { TalkDialect } from "../../../protocol/translate/translation.ts";
import { isEventStream } from "../../../relay/answer-shape.ts";

/** What reads one answer of a probe. */
export interface AnswerReading {
  readonly wire: TalkDialect;
  readonly response: Response;
  readonly vendor: string;
  /** Epoch ms. */
  readonly now: number;
  readonly parts: DecoderParts;
  /** Ms since the probe was sent. */
  readonly at: () => number;
  /** Told, perhaps again and again, that the stream has shown reasoning. */
  readonly onReasoning: () => void;
}

/** Many times what the longest good answer has. */
const MAX_BYTES = 1024 ** 2;

/**
 * Reads an answer with a success status until its end, until the signal or until it is too long; what
 * has come by then is judged. Rejects with what the connection broke with.
 */
export async function readAnswer(reading: AnswerReading, signal: AbortSignal): Promise<ProbeReply> {
  const { response, at } = reading;
  const taken = isEventStream(response.headers) ? streamReader(reading) : wholeReader(reading);
  const utf8 = createUtf8Check();
  const take = (bytes: Uint8Array) => {
    utf8.push(bytes);
    taken.push(bytes);
    return taken.isOver();
  };
  const body = response.body?.getReader();
  const is_cut = body === undefined ? false : await drain(body, signal, take);
  return taken.end({ at_ms: at(), is_cut, is_utf8: utf8.isFine() });
}

interface AnswerBody {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Reads until `take` has enough or all is read; true where we stopped before, which is no fault of the body. */
async function drain(
  body: AnswerBody,
  signal: AbortSignal,
  take: (bytes: Uint8Array) => boolean,
): Promise<boolean> {
  const cancel = () => void body.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let size = 0; !signal.aborted;) {
      const { value } = await body.read();
      if (signal.aborted) return true;
      if (value === undefined || take(value.subarray(0, MAX_BYTES - size))) return false;
      size += value.length;
      if (size > MAX_BYTES) return true;
    }
    return true;
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

interface Ending {
  readonly at_ms: number;
  /** We stopped reading before it was over. */
  readonly is_cut: boolean;
  readonly is_utf8: boolean;
}

interface Taken {
  push(bytes: Uint8Array): void;
  isOver(): boolean;
  end(ending: Ending): ProbeReply;
}

function failedReply({ response, vendor, now }: AnswerReading, body: string): ProbeReply {
  const header = (name: string) => response.headers.get(name);
  const { status } = response;
  const failure = classifyHttp({ vendor, status, header, body, now });
  return { kind: "failed", failure: failure.kind, status };
}

function streamReader(reading: AnswerReading): Taken {
  const { at, wire, parts, onReasoning } = reading;
  const reader = createReplyReader();
  const framer = createFramer({ max_frame: MAX_BYTES });
  const decoder = wire === "chat" ? null : FORMATS[wire].createDecoder(parts);
  let isDone = false;
  let error: string | null = null;

  function takeChat({ data, event }: Frame): void {
    if (data === undefined) return;
    if (data.trim() === "[DONE]") {
      isDone = true;
      return;
    }
    const chunk = parseJson(data);
    if (!isObject(chunk)) return;
    if (event === "error" || isErrorChunk(chunk)) error ??= `data: ${data}\n\n`;
    else reader.read(chunk, at());
  }

  function take(frame: Frame): void {
    if (isDone || error !== null) return;
    if (decoder === null) return takeChat(frame);
    const decoded = decoder.read(frame);
    for (const chunk of decoded.chunks) reader.read(chunk, at());
    isDone = decoded.is_done;
    error = decoded.error;
  }

  return {
    push(bytes) {
      framer.push(bytes).frames.forEach(take);
      if (reader.hasReasoning()) onReasoning();
    },
    isOver: () => isDone || error !== null,
    end({ at_ms, is_cut, is_utf8 }) {
      const last = is_cut ? undefined : framer.end();
      if (last !== undefined) take(last);
      if (error !== null) return failedReply(reading, error);
      return reader.end({ at_ms, is_done: is_cut ? null : isDone, is_utf8 });
    },
  };
}

function wholeReader(reading: AnswerReading): Taken {
  const { wire, parts } = reading;
  const pieces: Uint8Array[] = [];
  return {
    push: (bytes) => void pieces.push(bytes),
    isOver: () => false,
    end({ at_ms, is_cut, is_utf8 }) {
      const reader = createReplyReader();
      const ending = { at_ms, is_done: null, is_utf8 };
      if (is_cut) return reader.end(ending);
      const text = new TextDecoder().decode(Buffer.concat(pieces));
      const body = parseJson(text);
      if (!isObject(body) || isErrorAnswer(body)) return failedReply(reading, text);
      reader.read(wire === "chat" ? body : FORMATS[wire].answerToChat(body, parts), at_ms);
      return reader.end(ending);
    },
  };
}

/** A stream may be cut in the midst of a character, but it must not hold what is none. */
function createUtf8Check() {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let fine = true;
  return {
    push(bytes: Uint8Array): void {
      if (!fine) return;
      try {
        decoder.decode(bytes, { stream: true });
      } catch {
        fine = false;
      }
    },
    isFine: () => fine,
  };
}
