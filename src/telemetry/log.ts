import { write } from "node:fs";

import pino, { type DestinationStream, type Level, type Logger } from "pino";

export type LogLevel = Level | "silent";

/** A pino logger. `level` may be set at any time; loggers made with `child` follow it. */
export type Log = Logger;

export interface LogDependencies {
  readonly level: LogLevel;
  readonly destination: DestinationStream;
}

/** JSON lines with times in RFC 3339 and secrets blanked. No pino transports: they fail in the binary. */
export function createLog({ level, destination }: LogDependencies): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => blank(fields) },
    },
    destination,
  );
}

/** Fields that are blanked on two levels, should anything ever be logged that carries them. */
const SENSITIVE_FIELDS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api_key",
  "client_key",
  "admin_key",
  "credential",
  "cookie",
  "set-cookie",
  "body",
  "messages",
  "prompt",
  "completion",
]);
const CENSOR = "[redacted]";

type Fields = Record<string, unknown>;

/**
 * In place of pino's `redact`, which for this list takes ten times as long as the rest of the line.
 * Fields that a child logger was made with are not looked at.
 */
function blank(fields: Fields, levels = 2): Fields {
  const blanked: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SENSITIVE_FIELDS.has(name)) blanked[name] = CENSOR;
    else blanked[name] = levels > 1 && isPlain(value) ? blank(value, levels - 1) : value;
  }
  return blanked;
}

/** Errors, headers and the like have their own ways to become text. */
function isPlain(value: unknown): value is Fields {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

const STANDARD_ERROR = 2;

/** Characters kept while the reader of a pipe is slow; lines beyond it are lost, never waited for. */
const MAX_PENDING = 8 * 1024 ** 2;
/** A pipe that is full for the moment, where the descriptor does not block. */
const BUSY_PAUSE_MS = 50;
const FLUSH_WAIT_MS = 1000;
/** After a write the next lines are gathered for so long: one write each would cost more than the line. */
const GATHER_MS = 20;

export interface LogDestination extends DestinationStream {
  /** Settles when everything is written, and after a second in any case: a stuck reader cannot hold up the exit. */
  flush(): Promise<void>;
}

/**
 * Writes lines to `fd` beside the event loop. pino's own destination is not used because it writes
 * what is left in an exit hook that waits for the reader for ever. A reader that is gone ends the
 * writing, no more.
 */
export function openLogDestination(fd = STANDARD_ERROR): LogDestination {
  let waiting: string[] = [];
  let pending = 0;
  let writing = false;
  let broken = false;
  let flushing = false;
  let gathering: Timer | undefined;
  let whenEmpty = Promise.withResolvers<void>();

  const gather = () => {
    if (flushing) writeNext();
    else gathering = setTimeout(writeNext, GATHER_MS);
  };

  const writeNext = () => {
    clearTimeout(gathering);
    gathering = undefined;
    writing = waiting.length > 0;
    if (!writing) {
      whenEmpty.resolve();
      whenEmpty = Promise.withResolvers();
      return;
    }
    const chunk = Buffer.from(waiting.join(""));
    waiting = [];
    writeRest(chunk);
  };

  const writeRest = (chunk: Buffer) => {
    write(fd, chunk, (error, length) => {
      if (error?.code === "EAGAIN") return setTimeout(writeRest, BUSY_PAUSE_MS, chunk);
      if (error) {
        broken = true;
        waiting = [];
      } else if (length < chunk.length) return writeRest(chunk.subarray(length));
      pending = waiting.reduce((sum, line) => sum + line.length, 0);
      return gather();
    });
  };

  return {
    write(line) {
      if (broken || pending + line.length > MAX_PENDING) return;
      pending += line.length;
      waiting.push(line);
      if (!writing) writeNext();
    },
    async flush() {
      flushing = true;
      if (gathering !== undefined) writeNext();
      if (!writing) return;
      const { promise: tooLong, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FLUSH_WAIT_MS);
      await Promise.race([whenEmpty.promise, tooLong]);
      clearTimeout(timer);
    },
  };
}
