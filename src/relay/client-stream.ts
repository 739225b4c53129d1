interface ClientStream {
  /** What to send; ends when the answer does. */
  readonly source: AsyncIterator<Uint8Array>;
  /** Silence after which a comment goes out; null for never. */
  readonly keepalive_ms: number | null;
  /** The client went away: `source` must end soon. */
  readonly onCancel: () => void;
}

export const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");
const SILENT = Symbol("silent");

/**
 * The body of a streamed answer. It pulls: a client that stops reading stops the upstream, and
 * nothing is buffered in between but one chunk.
 */
export function clientStream({ source, keepalive_ms, onCancel }: ClientStream): ReadableStream {
  let pending: Promise<IteratorResult<Uint8Array>> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      pending ??= source.next();
      const next = keepalive_ms === null ? await pending : await orSilence(pending, keepalive_ms);
      if (next === SILENT) {
        controller.enqueue(KEEP_ALIVE);
        return;
      }
      pending = undefined;
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      onCancel();
      // Lets the source free what it holds, also if it was between two chunks.
      void source.return?.();
    },
  });
}

async function orSilence<T>(promise: Promise<T>, ms: number): Promise<T | typeof SILENT> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<typeof SILENT>((resolve) => {
    timer = setTimeout(() => resolve(SILENT), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
