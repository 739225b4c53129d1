/**
 * An upstream that costs next to nothing: HTTP by hand over TCP, every answer made before it is asked for.
 * What a request wants is read from its first and last bytes, wherever a gateway put `stream`.
 * `bun scripts/bench/rig/fast-upstream.ts PORT`
 */
import type { Socket } from "bun";

import { ANSWER, BURST, FRAMES, type Kind, PACE_MS } from "./payloads.ts";

const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const head = (type: string, rest: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${rest}\r\n\r\n`;

const json = (text: string) =>
  Buffer.from(head("application/json", `content-length: ${Buffer.byteLength(text)}`) + text);

const WHOLE = json(ANSWER);
const LIST = json('{"object":"list","data":[{"id":"m"},{"id":"paced"}]}');

const STREAM_HEAD = head("text/event-stream; charset=utf-8", "transfer-encoding: chunked");
/** Role and first delta leave with the head, as they do where a model has started to speak. */
const [ROLE = "", FIRST = "", ...REST] = FRAMES;
const OPENING = STREAM_HEAD + chunked(ROLE) + chunked(FIRST);
const LAST_CHUNK = "0\r\n\r\n";

const BURSTS = Array.from({ length: Math.ceil(REST.length / BURST) }, (_, n) => {
  const frames = REST.slice(n * BURST, (n + 1) * BURST);
  return (n === 0 ? OPENING : "") + frames.map(chunked).join("");
}).map((text, n, all) => Buffer.from(n === all.length - 1 ? text + LAST_CHUNK : text));

const PACED = [OPENING, ...REST.map(chunked)].map((text, n, all) =>
  Buffer.from(n === all.length - 1 ? text + LAST_CHUNK : text),
);

interface Connection {
  /** Start of a request whose head is not whole yet. */
  pending: Buffer;
  /** Bytes of the body to come; -1 for a chunked one. */
  left: number;
  kind: Kind | "list";
  /** The last request that came in one piece; the same bytes again want the same answer. */
  last: Buffer;
}

/** How much of each end of a body is looked at. */
const LOOKED_AT = 400;

function kindIn(text: string): Kind | null {
  if (text.includes('"stream":false')) return "whole";
  if (!text.includes('"stream":true')) return null;
  return text.includes('paced"') ? "paced" : "burst";
}

function receive(socket: Socket<Connection>, bytes: Buffer): void {
  const connection = socket.data;
  if (bytes.equals(connection.last)) return answer(socket);
  if (connection.left !== 0) return receiveBody(socket, bytes);
  const all = connection.pending.length === 0 ? bytes : Buffer.concat([connection.pending, bytes]);
  const end = all.indexOf("\r\n\r\n");
  if (end === -1) {
    connection.pending = all;
    return;
  }
  connection.pending = Buffer.alloc(0);
  const header = all.toString("latin1", 0, end);
  connection.kind = header.startsWith("GET") ? "list" : "whole";
  connection.left = bodyLength(header);
  const body = all.subarray(end + 4);
  if (connection.left === 0) return answer(socket);
  if (body.length > 0) receiveBody(socket, body);
  if (connection.left === 0) connection.last = all;
}

function bodyLength(header: string): number {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
  if (length !== undefined) return Number(length);
  return /\r\ntransfer-encoding: *chunked/i.test(header) ? -1 : 0;
}

function receiveBody(socket: Socket<Connection>, bytes: Buffer): void {
  const connection = socket.data;
  const found =
    kindIn(bytes.toString("latin1", 0, LOOKED_AT)) ??
    kindIn(bytes.toString("latin1", Math.max(0, bytes.length - LOOKED_AT)));
  if (found !== null) connection.kind = found;
  if (connection.left > 0) connection.left = Math.max(0, connection.left - bytes.length);
  else if (bytes.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK))) connection.left = 0;
  if (connection.left === 0) answer(socket);
}

function answer(socket: Socket<Connection>): void {
  switch (socket.data.kind) {
    case "list":
      return send(socket, LIST);
    case "whole":
      return send(socket, WHOLE);
    case "burst":
      for (const bytes of BURSTS) send(socket, bytes);
      return;
    case "paced":
      sendPaced(socket);
  }
}

function sendPaced(socket: Socket<Connection>): void {
  let next = 0;
  const step = () => {
    const bytes = PACED[next++];
    if (bytes === undefined || socket.readyState < 1) return clearInterval(timer);
    send(socket, bytes);
  };
  const timer = setInterval(step, PACE_MS);
  step();
}

function send(socket: Socket<Connection>, bytes: Buffer): void {
  // A gateway that left is met while streaming; one that reads too slowly would need a queue here.
  if (socket.readyState < 1) return;
  const written = socket.write(bytes);
  if (written >= 0 && written < bytes.length) throw new Error("the gateway does not read");
}

Bun.listen<Connection>({
  hostname: "127.0.0.1",
  port: Number(process.argv[2] ?? 0),
  socket: {
    open(socket) {
      socket.data = { pending: Buffer.alloc(0), left: 0, kind: "whole", last: Buffer.alloc(0) };
      socket.setNoDelay(true);
    },
    data: (socket, bytes) => receive(socket, bytes),
    error: () => undefined,
  },
});
