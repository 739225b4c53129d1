import { joinBytes } from "../protocol/json/edit.ts";
import type { StreamAnswer } from "./answers.ts";
import { errorResponse, sseResponse } from "./client-response.ts";
import { clientStream } from "./client-stream.ts";
import { explainComment, servedComment } from "./explain-record.ts";
import type { Run } from "./run.ts";

interface Streaming {
  readonly run: Run;
  readonly answer: Promise<StreamAnswer>;
  /** The answer is over, however that came about. */
  readonly close: () => void;
  /** The client went away. */
  readonly leave: () => void;
  /** The router failed while streaming; returns the last bytes for the client. */
  readonly onFault: (error: unknown) => Uint8Array;
}

/**
 * The answer to a request for a stream: headers at the first content or, if that takes long, alone,
 * with failover going on behind them.
 */
export async function streamResponse(streaming: Streaming): Promise<Response> {
  const { run, answer, close } = streaming;
  const early = await inTime(answer, run.settings.keepalive_ms);
  if (early?.kind === "error") {
    close();
    return errorResponse(run, early.error);
  }
  if (!early) run.is_committed = true;
  const source = early ? early.source : lateSource(run, answer);
  const { keep_alive } = run.egress;
  const { keepalive_ms } = run.settings;
  const body = clientStream({ ...streaming, source, keepalive_ms, keep_alive });
  return sseResponse(run, body, early ? early.headers : null);
}

/** A stream whose headers are out already: who served it, or the error, comes as frames. */
async function* lateSource(run: Run, answer: Streaming["answer"]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  // Headers leave with the first bytes of the body.
  yield run.egress.keep_alive;
  const late = await answer;
  if (late.kind === "error") {
    yield joinBytes([encoder.encode(explainComment(run)), run.egress.fail(late.error)]);
    return;
  }
  yield encoder.encode(servedComment(run.entry.decision));
  const { source } = late;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    yield next.value;
  }
}

/** What `promise` gives within `ms`, else undefined; null waits for it. */
async function inTime<T>(promise: Promise<T>, ms: number | null): Promise<T | undefined> {
  if (ms === null) return promise;
  const { promise: first, resolve, reject } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  promise.then(resolve, reject);
  try {
    return await first;
  } finally {
    clearTimeout(timer);
  }
}
