import { write } from "node:fs";

import pino, { type DestinationStream, type Level, type Logger } from "pino";

import { createLogLines } from "./log-lines.ts";

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

/**
 * A line of level `info`, as `log.info` would write it with the time `at`, epoch ms; its fields are asked for when it
 * is written, up to 20 ms later, where the destination can wait. What they are read from must not change any more.
 * They are not looked at for secrets, and those of a child logger are left out.
 */
export function logLater(log: Log, message: string, { at, fields }: LaterLine): void {
  if (!log.isLevelEnabled("info")) return;
  const destination: unknown = Reflect.get(log, pino.symbols.streamSym);
  if (!canWait(destination)) return log.info(fields(), message);
  destination.writeLater(() => {
    // Put together as text: to gather so many fields in one object takes longer than to write them.
    const own = JSON.stringify(fields()).slice(1, -1);
    const time = new Date(at).toISOString();
    return `{"level":"info","time":"${time}",${own},"msg":${JSON.stringify(message)}}\n`;
  });
}

interface LaterLine {
  readonly at: number;
  /** At least one. */
  readonly fields: () => object;
}

const canWait = (destination: unknown): destination is LogDestination =>
  typeof destination === "object" && destination !== null && "writeLater" in destination;

const STANDARD_ERROR = 2;

/** A pipe that is full for the moment, where the descriptor does not block. */
const BUSY_PAUSE_MS = 50;
const FLUSH_WAIT_MS = 1000;
/** After a write the next lines are gathered for so long: one write each would cost more than the line. */
const GATHER_MS = 20;

export interface LogDestination extends DestinationStream {
  /** Makes a line when it is written, in its place among the others. */
  writeLater(make: () => string): void;
  /** Settles when everything is written, and after a second in any case: a stuck reader cannot hold up the exit. */
  flush(): Promise<void>;
}

/**
 * Writes lines to `fd` beside the event loop. pino's own destination is not used because it writes
 * what is left in an exit hook that waits for the reader for ever. A reader that is gone ends the
 * writing, no more.
 */
export function openLogDestination(fd = STANDARD_ERROR): LogDestination {
  const lines = createLogLines();
  let writing = false;
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
    const text = lines.take();
    writing = text !== "";
    if (writing) return writeRest(Buffer.from(text));
    whenEmpty.resolve();
    whenEmpty = Promise.withResolvers();
  };

  const writeRest = (chunk: Buffer) => {
    write(fd, chunk, (error, length) => {
      if (error?.code === "EAGAIN") return setTimeout(writeRest, BUSY_PAUSE_MS, chunk);
      if (error) lines.stop();
      else if (length < chunk.length) return writeRest(chunk.subarray(length));
      lines.taken();
      return gather();
    });
  };

  return {
    write(line) {
      lines.add(line);
      if (!writing) writeNext();
    },
    writeLater(make) {
      lines.addLater(make);
      if (!writing && gathering === undefined) gather();
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
