import type { Socket } from "bun";

import { FIRST_WORDS } from "./payloads.ts";

/** How long any answer may take before the measurement is given up. */
const LIMIT_MS = 30_000;

/** One answer; times in ms since the request was written. */
export interface Answer {
  readonly status: number;
  /** The first content of a stream; the head of a whole answer. */
  readonly first_ms: number;
  readonly end_ms: number;
}

/** A keep-alive connection that sends one request at a time. */
export interface WireClient {
  /** Rejects if the connection breaks or the answer takes too long. */
  ask(request: Buffer): Promise<Answer>;
  /** Sends and goes away once something has come, as a client does that has read enough. */
  askAndLeave(request: Buffer): Promise<void>;
  /** As `ask`, with the bytes of the answer's body, chunks joined. */
  fetchBody(request: Buffer): Promise<Buffer>;
  close(): void;
}

interface Reading {
  began: number;
  first: number;
  status: number;
  /** Bytes of the body to come; -1 until its last chunk is there. */
  left: number;
  /** Null once the head was read. */
  head: Buffer | null;
  isStream: boolean;
  kept: Buffer[] | null;
  tail: string;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
  leave: boolean;
}

const UNREAD = { first: 0, status: 0, left: 0, head: Buffer.alloc(0), isStream: false, tail: "" };

const LAST_CHUNK = "0\r\n\r\n";

/** Connects to an origin such as `http://127.0.0.1:8080`. */
export async function connect(origin: string): Promise<WireClient> {
  const { hostname, port } = new URL(origin);
  let reading: Reading | null = null;
  const fail = (reason: string) => {
    const failed = reading;
    reading = null;
    failed?.reject(new Error(`${origin}: ${reason}`));
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        if (reading === null) return;
        const now = performance.now();
        if (!take(reading, bytes, now) && !reading.leave) return;
        const { status, began, first, resolve } = reading;
        reading = null;
        resolve({ status, first_ms: first - began, end_ms: now - began });
      },
      close: () => fail("the connection was closed before the answer's end"),
      error: (_, error) => fail(error.message),
    },
  });
  socket.setNoDelay(true);

  function begin(request: Buffer, { keep = false, leave = false } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => fail(`no whole answer in ${LIMIT_MS} ms`), LIMIT_MS);
    const began = performance.now();
    const kept: Buffer[] | null = keep ? [] : null;
    reading = { ...UNREAD, began, kept, resolve, reject, leave };
    writeAll(socket, request);
    return { answer: promise.finally(() => clearTimeout(timer)), kept };
  }

  return {
    ask: (request) => begin(request).answer,
    async askAndLeave(request) {
      await begin(request, { leave: true }).answer;
      socket.terminate();
    },
    async fetchBody(request) {
      const { answer, kept } = begin(request, { keep: true });
      await answer;
      return joined(kept ?? []);
    },
    close: () => void socket.end(),
  };
}

/** A request larger than the socket's buffer goes out in pieces. */
function writeAll(socket: Socket, bytes: Buffer): void {
  const unsent = bytes.subarray(Math.max(0, socket.write(bytes)));
  if (unsent.length > 0) setTimeout(() => writeAll(socket, unsent), 0);
}

/** Takes what came; true once the answer is whole. */
function take(reading: Reading, bytes: Buffer, now: number): boolean {
  let body = bytes;
  if (reading.head !== null) {
    const all = reading.head.length === 0 ? bytes : Buffer.concat([reading.head, bytes]);
    const end = all.indexOf("\r\n\r\n");
    reading.head = all;
    if (end === -1) return false;
    readHead(reading, all.toString("latin1", 0, end));
    reading.head = null;
    body = all.subarray(end + 4);
    if (!reading.isStream) reading.first = now;
  }
  reading.kept?.push(body);
  if (reading.isStream && reading.first === 0 && body.includes(FIRST_WORDS)) reading.first = now;
  if (reading.left >= 0) {
    reading.left -= body.length;
    return reading.left <= 0;
  }
  const piece = body.toString("latin1", Math.max(0, body.length - LAST_CHUNK.length));
  reading.tail = (reading.tail + piece).slice(-LAST_CHUNK.length);
  return reading.tail === LAST_CHUNK;
}

function readHead(reading: Reading, header: string): void {
  reading.status = Number(header.slice(9, 12));
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
  reading.left = length === undefined ? -1 : Number(length);
  reading.isStream = /\r\ncontent-type: *text\/event-stream/i.test(header);
  // What stands in `kept` is read again by `joined`, which needs to know how it is framed.
  reading.kept?.push(Buffer.from(length === undefined ? "chunked" : "plain"));
}

/** The body without the framing of its chunks. */
function joined([framing, ...pieces]: readonly Buffer[]): Buffer {
  const all = Buffer.concat(pieces);
  if (framing?.toString() !== "chunked") return all;
  const chunks: Buffer[] = [];
  for (let at = 0; at < all.length;) {
    const end = all.indexOf("\r\n", at);
    const size = Number.parseInt(all.toString("latin1", at, end), 16);
    if (end === -1 || Number.isNaN(size)) throw new Error(`no chunk at byte ${at} of the answer`);
    chunks.push(all.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
