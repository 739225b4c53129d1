import { joinBytes } from "../protocol/json/edit.ts";
import type { Unanswered } from "./blame.ts";
import type { BodyReader } from "./body-reader.ts";
import type { Consumer, StreamEnd } from "./stream-consumer.ts";
import { concludeStream, refusalOf, type UpstreamStream } from "./stream-end.ts";
import { consumeNext, type Opening } from "./stream-opening.ts";

interface Following extends UpstreamStream {
  readonly reader: BodyReader;
  readonly consumer: Consumer;
}

type Followed =
  { readonly kind: "stream"; readonly source: AsyncGenerator<Uint8Array> } | Unanswered;

/** A stream that may go to the client from here on, or why nothing of it may. */
export function followStream(
  opening: Exclude<Opening, { kind: "preamble_too_long" }>,
  following: Following,
): Followed {
  const { attempting, reader } = following;
  if (opening.kind === "content") attempting.firstToken();
  const refusal = opening.kind === "ended" ? refusalOf(opening.end, following) : undefined;
  if (refusal) {
    reader.cancel();
    return refusal;
  }
  return { kind: "stream", source: commit(opening, following) };
}

interface Opened {
  readonly held: Uint8Array;
  readonly end: StreamEnd | null;
}

/** From here on the client sees everything, and only silence and `max_stream` limit the stream. */
function commit(opened: Opened, following: Following): AsyncGenerator<Uint8Array> {
  const { attempting, input } = following;
  const { watch } = attempting;
  watch.disarm("first_token_timeout");
  input.run.watch.disarm("deadline");
  watch.arm("max_stream", input.run.settings.max_stream_ms ?? Number.POSITIVE_INFINITY);
  attempting.serve();
  const settle = createSettling(following);
  if (opened.end) settle(opened.end);
  return carry(opened, following, settle);
}

type Settle = (end: StreamEnd) => Uint8Array;

/**
 * Returns what settles the record at the first end of the stream and gives the last bytes for the
 * client. A stop settles at once: a client that reads no more would never make us notice.
 */
function createSettling(following: Following): Settle {
  const { reader, attempting, input, dependencies } = following;
  const { watch } = attempting;
  let last: Uint8Array | undefined;
  const settle: Settle = (end) => {
    if (last) return last;
    watch.signal.removeEventListener("abort", onStop);
    try {
      last = concludeStream(end, following);
      return last;
    } finally {
      if (end.kind === "done") void reader.release();
      else reader.cancel();
    }
  };
  const onStop = () => {
    const stop = watch.stopped();
    try {
      if (stop) settle({ kind: "stopped", stop });
    } catch (error) {
      // Thrown from here it would end the process, and every other stream with it.
      dependencies.onFault(error, input.run.request.request_id);
    }
  };
  watch.signal.addEventListener("abort", onStop, { once: true });
  return settle;
}

async function* carry(
  opened: Opened,
  { reader, consumer, input }: Following,
  settle: Settle,
): AsyncGenerator<Uint8Array> {
  const { idle_ms } = input.instance.timeouts;
  let { held: out, end } = opened;
  while (!end) {
    if (out.length > 0) yield out;
    ({ out, end } = await consumeNext(reader, consumer, idle_ms));
  }
  const last = joinBytes([out, settle(end)]);
  if (last.length > 0) yield last;
}
