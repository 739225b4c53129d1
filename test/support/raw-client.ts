/** A client at the level of TCP: it can leave, or stop reading, at any moment. */
export interface RawClient {
  write(bytes: string): void;
  /** What has arrived so far, as text. */
  readonly received: () => string;
  /** Settles once `text` has arrived. */
  saw(text: string): Promise<void>;
  /** Stops reading; the kernel's buffers fill up. */
  pause(): void;
  resume(): void;
  /** Goes away at once. */
  leave(): void;
  /** Settles when the router closes the connection, or we did. */
  readonly closed: Promise<void>;
}

/** Connects to the router at `url`. */
export async function rawClient(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const decoder = new TextDecoder();
  const closed = Promise.withResolvers<void>();
  const waiting = new Set<() => void>();
  let text = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        text += decoder.decode(bytes, { stream: true });
        for (const look of waiting) look();
      },
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  return {
    write: (bytes) => void socket.write(bytes),
    received: () => text,
    async saw(wanted) {
      const found = Promise.withResolvers<void>();
      const look = () => {
        if (text.includes(wanted)) found.resolve();
      };
      waiting.add(look);
      look();
      await found.promise;
      waiting.delete(look);
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    leave: () => socket.terminate(),
    closed: closed.promise,
  };
}

/** A chat request as the bytes of HTTP, keep-alive. */
export function rawChat(body: object, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n${lines.join("")}\r\n${text}`
  );
}
