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
  const { source, keep_alive, close, leave, onFault } = parts;
  const silence = createSilence(parts.keepalive_ms, speak);
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The client waits for more. */
  let isWaiting = false;
  let isReading = false;
  /** What came while the client did not wait. */
  let given: Given | undefined;

  function speak(): void {
    if (!isWaiting) return;
    isWaiting = false;
    sink?.enqueue(keep_alive);
  }

  function hand(read: Given): void {
    given = undefined;
    isWaiting = false;
    if (!("last" in read) && read.done !== true) return sink?.enqueue(read.value);
    silence.end();
    if ("last" in read && read.last.length > 0) sink?.enqueue(read.last);
    close();
    sink?.close();
  }

  function take(read: Given): void {
    isReading = false;
    given = read;
    try {
      if (isWaiting) hand(read);
    } catch (error) {
      // Nobody waits for this promise: a rejection would end the process.
      sink?.error(error);
    }
  }

  const onThrown = (error: unknown) => take({ last: onFault(error) });

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sink = controller;
        isWaiting = true;
        if (given) return hand(given);
        silence.begin();
        if (isReading) return;
        isReading = true;
        void source.next().then(take, onThrown);
      },
      cancel() {
        sink = undefined;
        silence.end();
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Tells when nothing came for so long since it last began; null for never. */
function createSilence(ms: number | null, onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    begin() {
      if (ms === null) return;
      // Started anew, a timer costs less than another one, and this happens for each chunk.
      if (timer) timer.refresh();
      else timer = setTimeout(onSilence, ms);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
