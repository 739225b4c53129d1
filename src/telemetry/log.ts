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
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: BLANKED, censor: "[redacted]" },
    },
    destination,
  );
}

/** Fields that are blanked on two levels, should anything ever be logged that carries them. */
const SENSITIVE_FIELDS = [
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
];
const BLANKED = SENSITIVE_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]);

/** Lines kept while the reader of a pipe is slow; beyond it they are lost, never waited for. */
const MAX_PENDING_BYTES = 8 * 1024 ** 2;

const STANDARD_ERROR = 2;

export interface LogDestination extends DestinationStream {
  /** Writes what is still in memory; for the moment before the process ends. */
  flushSync(): void;
}

/** Standard error, written beside the event loop. A reader that went away silences it, no more. */
export function openLogDestination(fd = STANDARD_ERROR): LogDestination {
  const destination = pino.destination({ dest: fd, sync: false, maxLength: MAX_PENDING_BYTES });
  destination.on("error", () => undefined);
  return {
    write: (line) => void destination.write(line),
    flushSync: () => {
      try {
        destination.flushSync();
      } catch {
        // Closed by the reader, or not open yet: there is nobody left to tell.
      }
    },
  };
}
