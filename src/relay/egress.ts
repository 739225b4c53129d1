import { inWordsOf } from "../protocol/dialect-error.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { openAiErrorFrame } from "../protocol/openai/error-frame.ts";
import type { ResponsesTools } from "../protocol/responses/response-tools.ts";
import type { AnswerLoss } from "../protocol/translate/answer-loss.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { ResumePoint } from "../protocol/translate/responses-stream/response-events.ts";
import type { AnswerReader } from "../protocol/translate/stream-reader.ts";
import type { AnswerIdentity } from "../protocol/translate/talk-format.ts";
import type { StreamEncoder, StreamFailure } from "../protocol/translate/translation.ts";
import type { ChatView } from "./chat-view.ts";
import type { ClientRequest } from "./client-request.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

/** How a client is told things while it is being streamed to, in its own dialect. */
export interface Egress {
  /** Shows that the stream is alive. */
  readonly keep_alive: Uint8Array;
  /** What a translated answer is read and written with. */
  readonly identity: () => AnswerIdentity;
  /** Writes a translated stream, or what is left to be said of one; one per attempt. */
  createEncoder(resume?: ResumePoint): StreamEncoder;
  /** The client is being sent what this one reads: an error must continue it. */
  follow(reader: Pick<AnswerReader, "fail">): void;
  /** What ends the stream with an error, whatever was sent before. */
  fail(failure: StreamFailure): Uint8Array;
}

interface EgressParts {
  readonly request: Pick<ClientRequest, "dialect" | "parsed">;
  readonly view: () => Pick<ChatView, "tools">;
  readonly entry: Pick<LedgerEntry, "id" | "decision" | "edit">;
}

const NO_TOOLS: ResponsesTools = new Map();
const encoder = new TextEncoder();
const COMMENT = encoder.encode(": keep-alive\n\n");
const PING = encoder.encode('event: ping\ndata: {"type":"ping"}\n\n');

export function createEgress({ request, view, entry }: EgressParts): Egress {
  const { dialect, parsed } = request;
  const model = typeof parsed["model"] === "string" ? parsed["model"] : "";
  const identity = () => ({
    seed: entry.id,
    model,
    created_at: entry.decision.at,
    newId: createCallIds(entry.id),
    request: parsed,
    tools: view().tools ?? NO_TOOLS,
    onLoss: (name: AnswerLoss) => entry.edit(`lossy:answer.${name}`),
  });
  let followed: Pick<AnswerReader, "fail"> | undefined;

  function createEncoder(resume?: ResumePoint): StreamEncoder {
    if (dialect !== "messages" && dialect !== "responses") {
      throw new Error(`nothing is written for a client of ${dialect}`);
    }
    return FORMATS[dialect].createEncoder(identity(), resume);
  }

  return {
    keep_alive: dialect === "messages" ? PING : COMMENT,
    identity,
    createEncoder,
    follow(reader) {
      followed = reader;
    },
    fail(failure) {
      const reader = followed ?? fresh(dialect, createEncoder);
      return encoder.encode(reader.fail(inWordsOf(dialect, failure)));
    },
  };
}

/** Where nothing but signs of life was sent. */
function fresh(dialect: Dialect, createEncoder: () => StreamEncoder): Pick<AnswerReader, "fail"> {
  const isWritten = dialect === "messages" || dialect === "responses";
  return isWritten ? createEncoder() : { fail: openAiErrorFrame };
}
