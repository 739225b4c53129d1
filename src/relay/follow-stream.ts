import type { Failure } from "../health/failure.ts";
import { joinViews } from "../protocol/json/edit.ts";
import { inboundHeaders } from "../upstream/inbound-headers.ts";
import { harmOf } from "./asides.ts";
import type { DoubtfulResult, StreamResult } from "./attempt-result.ts";
import { failureOfOutput, type Unanswered } from "./blame.ts";
import type { BodyReader } from "./body-reader.ts";
import { judgedByStart, type Judgement, outputFault } from "./judgement.ts";
import type { Consumer, StreamEnd } from "./stream-consumer.ts";
import { concludeStream, judgeUnseen, type UpstreamStream } from "./stream-end.ts";
import { consume, type Opening } from "./stream-opening.ts";

interface Following extends UpstreamStream {
  readonly reader: BodyReader;
  readonly consumer: Consumer;
}

const NOTHING = new Uint8Array();

/** What the client has not seen yet of a stream. */
interface Opened {
  readonly held: Uint8Array;
  readonly end: StreamEnd | null;
  /** On the whole of it, where it is over and was judged. */
  readonly judgement: Judgement | null;
}

/** A stream that may go to the client from here on, or why nothing of it should. */
export function followStream(
  opening: Exclude<Opening, { kind: "preamble_too_long" }>,
  following: Following,
): StreamResult | DoubtfulResult | Unanswered {
  const { held, end } = opening;
  const isUnseen = opening.kind === "ended" || opening.is_held_back;
  if (!isUnseen) return commit({ held, end, judgement: null }, following);
  if (end === null) {
    const doubt = doubtOfStart(following);
    const opened = { held, end, judgement: null };
    return doubt === null ? commit(opened, following) : putAside(opened, doubt, following);
  }
  const unseen = judgeUnseen(end, following);
  if (unseen.kind !== "complete") {
    following.reader.cancel();
    return unseen;
  }
  const { judgement, failure } = unseen;
  const opened = { held, end, judgement };
  if (failure === null || judgement === null) return commit(opened, following);
  return putAside(opened, { judgement, failure }, following);
}

interface Doubt {
  readonly judgement: Judgement;
  readonly failure: Failure;
}

/** What the start of a suspect's stream gives away; null if it looks sound. */
function doubtOfStart({ scan, input }: Following): Doubt | null {
  const verdict = scan?.suspicion() ?? null;
  if (verdict === null) return null;
  const judgement = judgedByStart(verdict);
  const fault = outputFault(judgement, input.run.settings.ignored_signatures);
  return fault === null ? null : { judgement, failure: failureOfOutput(fault, verdict) };
}

/** Leaves a stream where it is while others are asked: it is still better than nothing. */
function putAside(opened: Opened, doubt: Doubt, following: Following): DoubtfulResult {
  const { attempting, reader, stream } = following;
  const { judgement, failure } = doubt;
  attempting.judged(judgement);
  return {
    kind: "doubtful",
    failure,
    harm: harmOf(judgement.verdict.verdict),
    serve: () => (attempting.watch.stopped() ? null : commit(opened, following)),
    drop() {
      reader.cancel();
      attempting.used(stream.facts().usage);
      attempting.reject(failure);
    },
  };
}

/** From here on the client sees everything, and only silence and `max_stream` limit the stream. */
function commit(opened: Opened, following: Following): StreamResult {
  const { attempting, consumer, input, response } = following;
  const { watch } = attempting;
  const { max_stream_ms } = input.run.settings;
  input.run.watch.disarm("deadline");
  if (max_stream_ms !== null) watch.arm("max_stream", max_stream_ms);
  attempting.serve();
  input.run.egress.follow(consumer);
  const settle = createSettling(opened, following);
  if (opened.end) settle(opened.end);
  const headers = inboundHeaders(response.headers);
  return { kind: "stream", source: new Carried(opened, following, settle), headers };
}

type Settle = (end: StreamEnd) => Uint8Array;

/**
 * Returns what settles the record at the first end of the stream and gives the last bytes for the
 * client. A stop settles at once: a client that reads no more would never make us notice.
 */
function createSettling({ judgement }: Opened, following: Following): Settle {
  const { reader, attempting, input, dependencies } = following;
  const { watch } = attempting;
  let last: Uint8Array | undefined;
  const settle: Settle = (end) => {
    if (last) return last;
    watch.offStop(onStop);
    try {
      last = concludeStream(end, following, judgement);
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
  watch.onStop(onStop);
  return settle;
}

/** The rest of a stream as its client gets it. A generator would cost more for each chunk. */
class Carried implements AsyncIterator<Uint8Array> {
  readonly #following: Following;
  readonly #settle: Settle;
  #held: Uint8Array;
  #end: StreamEnd | null;
  #isOver = false;

  constructor({ held, end }: Opened, following: Following, settle: Settle) {
    this.#following = following;
    this.#settle = settle;
    this.#held = held;
    this.#end = end;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const { reader, consumer, input } = this.#following;
    if (this.#isOver) return { done: true, value: undefined };
    let out = this.#held;
    this.#held = NOTHING;
    while (!this.#end) {
      if (out.length > 0) return { done: false, value: out };
      const read = await reader.read(input.instance.timeouts.idle_ms);
      ({ out, end: this.#end } = consume(read, consumer));
    }
    this.#isOver = true;
    const last = joinViews([out, this.#settle(this.#end)]);
    return last.length > 0 ? { done: false, value: last } : { done: true, value: undefined };
  }
}
