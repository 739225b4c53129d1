import type { Socket } from "bun";

/** A request as it arrived, head and body byte for byte. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Settles when the router closes the connection. */
  readonly closed: Promise<void>;
}

/** What the script may do with the connection. Writes are raw: status line, headers, chunks. */
export interface Wire {
  write(bytes: string | Uint8Array): void;
  /** Sends FIN after what was written. */
  end(): void;
  /** Sends RST. */
  reset(): void;
  /** The head of an answer whose body ends with the connection. */
  head(status: number, headers?: Readonly<Record<string, string>>): void;
  /** A whole JSON answer on a connection that stays open. */
  json(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
  /** The head of an event stream; its body ends with the connection. */
  sse(headers?: Readonly<Record<string, string>>): void;
}

export interface ScriptedUpstream extends Disposable {
  /** As a provider's `base_url`. */
  readonly base_url: string;
  readonly requests: readonly SeenRequest[];
  /** Connections open now. */
  readonly open: () => number;
  /** Connections ever made, those without a request included. */
  readonly accepted: () => number;
  /** Bytes written that the router has not taken yet. */
  readonly backlog: () => number;
}

interface Connection {
  buffer: Buffer;
  /** What the socket did not take yet, and whether FIN follows. */
  unsent: Buffer;
  isEnding: boolean;
  readonly closed: PromiseWithResolvers<void>;
}

/**
 * An upstream at the level of TCP: the script gets each request whole and answers in raw bytes, so
 * that every way of answering wrongly can be played.
 */
export function scriptedUpstream(
  script: (wire: Wire, request: SeenRequest, index: number) => unknown,
): ScriptedUpstream {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket<Connection>>();
  let accepted = 0;
  const listener = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = {
          buffer: Buffer.alloc(0),
          unsent: Buffer.alloc(0),
          isEnding: false,
          closed: Promise.withResolvers(),
        };
        sockets.add(socket);
        accepted++;
      },
      drain: flush,
      data(socket, bytes) {
        socket.data.buffer = Buffer.concat([socket.data.buffer, bytes]);
        for (let seen = takeRequest(socket.data); seen; seen = takeRequest(socket.data)) {
          requests.push(seen);
          void script(wireOf(socket), seen, requests.length - 1);
        }
      },
      close(socket) {
        sockets.delete(socket);
        socket.data.closed.resolve();
      },
      error() {},
    },
  });
  return {
    base_url: `http://127.0.0.1:${listener.port}/v1`,
    requests,
    open: () => sockets.size,
    accepted: () => accepted,
    backlog: () => [...sockets].reduce((sum, { data }) => sum + data.unsent.length, 0),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.terminate();
      listener.stop(true);
    },
  };
}

/** Cuts one complete request off the buffer; undefined while it is not all there. */
function takeRequest(connection: Connection): SeenRequest | undefined {
  const { buffer, closed } = connection;
  const end = buffer.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [start = "", ...lines] = buffer.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", path = ""] = start.split(" ");
  const headers = new Headers();
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const length = Number(headers.get("content-length") ?? 0);
  const from = end + 4;
  if (buffer.length < from + length) return undefined;
  connection.buffer = buffer.subarray(from + length);
  const body = new Uint8Array(buffer.subarray(from, from + length));
  return { method, path, headers, body, closed: closed.promise };
}

/** Sends what the socket takes of the backlog. */
function flush(socket: Socket<Connection>): void {
  const { data } = socket;
  if (data.unsent.length > 0) data.unsent = data.unsent.subarray(socket.write(data.unsent));
  if (data.unsent.length === 0 && data.isEnding) socket.end();
}

function wireOf(socket: Socket<Connection>): Wire {
  const write = (bytes: string | Uint8Array) => {
    socket.data.unsent = Buffer.concat([socket.data.unsent, Buffer.from(bytes)]);
    flush(socket);
  };
  const head: Wire["head"] = (status, headers = {}) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    write(`HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n`);
  };
  return {
    write,
    head,
    end() {
      socket.data.isEnding = true;
      flush(socket);
    },
    reset: () => socket.terminate(),
    json(body, status = 200, headers = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const length = String(Buffer.byteLength(text));
      head(status, { "content-type": "application/json", "content-length": length, ...headers });
      write(text);
    },
    sse: (headers = {}) =>
      head(200, { "content-type": "text/event-stream", connection: "close", ...headers }),
  };
}

/** A chat answer with this text. */
export function completion(content: string, more: object = {}): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    ...more,
  };
}

/** A stream frame with one chat chunk. */
export function chunk(delta: object, finish_reason: string | null = null): string {
  const body = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** The frames of a whole stream that says `words`. */
export function streamOf(...words: string[]): string {
  const role = chunk({ role: "assistant", content: "" });
  return `${role}${words.map((content) => chunk({ content })).join("")}${chunk({}, "stop")}data: [DONE]\n\n`;
}
