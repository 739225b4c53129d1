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

const SILENT = Symbol("silent");

/**
 * The body of a streamed answer. It pulls: a client that stops reading stops the upstream, and
 * nothing is buffered in between but one chunk. It never rejects: that would end the process.
 */
export function clientStream(parts: ClientStream): ReadableStream {
  const { source, keepalive_ms, keep_alive, close, leave, onFault } = parts;
  let pending: Promise<IteratorResult<Uint8Array>> | undefined;
  let isGone = false;

  async function next(): Promise<IteratorResult<Uint8Array> | typeof SILENT> {
    pending ??= source.next();
    const read = keepalive_ms === null ? await pending : await orSilence(pending, keepalive_ms);
    if (read !== SILENT) pending = undefined;
    return read;
  }

  function finish(controller: ReadableStreamDefaultController<Uint8Array>, last?: Uint8Array) {
    if (last && last.length > 0) controller.enqueue(last);
    close();
    controller.close();
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const read = await next().catch((error: unknown) => ({ last: onFault(error) }));
        // A cancelled stream takes nothing more.
        if (isGone) return;
        if (read === SILENT) controller.enqueue(keep_alive);
        else if ("last" in read) finish(controller, read.last);
        else if (read.done === true) finish(controller);
        else controller.enqueue(read.value);
      },
      cancel() {
        isGone = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}

async function orSilence<T>(promise: Promise<T>, ms: number): Promise<T | typeof SILENT> {
  const { promise: silence, resolve } = Promise.withResolvers<typeof SILENT>();
  const timer = setTimeout(() => resolve(SILENT), ms);
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
