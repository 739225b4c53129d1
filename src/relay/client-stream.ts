interface ClientStream {
  /** What to send; ends when the answer does. */
  readonly source: AsyncIterator<Uint8Array>;
  /** Silence after which a sign of life goes out; null for never. */
  readonly keepalive_ms: number | null;
  readonly keep_alive: Uint8Array;
  /** All was sent, or the client went away. */
  readonly close: () => void;
  readonly leave: () => void;
  /** `source` threw, which only a fault of ours can make it do; returns the last bytes to send. */
  readonly onFault: (error: unknown) => Uint8Array;
}

/** What the source gave, or the last bytes after it threw. */
type Given = IteratorResult<Uint8Array> | { readonly last: Uint8Array };

/**
 * The body of a streamed answer. It pulls: a client that stops reading stops the upstream, and
 * nothing is buffered in between but one chunk. It never rejects: that would end the process.
 */
export function clientStream(parts: ClientStream): ReadableStream {
  return new ReadableStream<Uint8Array>(new ClientBody(parts), { highWaterMark: 0 });
}

class ClientBody {
  readonly #parts: ClientStream;
  #sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The client waits for more. */
  #isWaiting = false;
  #isReading = false;
  /** What came while the client did not wait. */
  #given: Given | undefined;
  #silence: Timer | undefined;

  constructor(parts: ClientStream) {
    this.#parts = parts;
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#sink = controller;
    this.#isWaiting = true;
    if (this.#given) return this.#hand(this.#given);
    this.#awaitSilence();
    if (this.#isReading) return;
    this.#isReading = true;
    this.#parts.source.next().then(this.#take, this.#takeFault);
  }

  cancel(): void {
    this.#sink = undefined;
    this.#endSilence();
    this.#parts.leave();
  }

  readonly #take = (given: Given): void => {
    this.#isReading = false;
    this.#given = given;
    try {
      if (this.#isWaiting) this.#hand(given);
    } catch (error) {
      // Nobody waits for this promise: a rejection would end the process.
      this.#sink?.error(error);
    }
  };

  readonly #takeFault = (error: unknown): void => this.#take({ last: this.#parts.onFault(error) });

  #hand(given: Given): void {
    this.#given = undefined;
    this.#isWaiting = false;
    if (!("last" in given) && given.done !== true) {
      this.#sink?.enqueue(given.value);
      return;
    }
    this.#endSilence();
    if ("last" in given && given.last.length > 0) this.#sink?.enqueue(given.last);
    this.#parts.close();
    this.#sink?.close();
  }

  #awaitSilence(): void {
    const { keepalive_ms } = this.#parts;
    if (keepalive_ms === null) return;
    // Started anew, a timer costs less than another one, and this happens for each chunk.
    if (this.#silence) this.#silence.refresh();
    else this.#silence = setTimeout(() => this.#speak(), keepalive_ms);
  }

  #endSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #speak(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#sink?.enqueue(this.#parts.keep_alive);
  }
}
