import { SQLiteError } from "bun:sqlite";

export type StoreErrorKind =
  /** Written by a later version of the router; the file was left alone. */
  | "newer_schema"
  /** Another process held the write lock for longer than we wait. */
  | "locked"
  /** The file or its directory cannot be created, read or written. */
  | "unwritable"
  | "damaged"
  | "full"
  /** The disk failed for another reason. */
  | "disk"
  | "missing"
  /** The file to create is there already. */
  | "exists"
  /** A list was asked to go on from a cursor that no page gave out. */
  | "bad_cursor"
  | "closed"
  | "failed";

/** Thrown by the store. `message` says what failed, on which file, and the way out. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StoreError";
    this.kind = kind;
  }
}

/** SQLite's primary result code, as in `SQLITE_IOERR_WRITE` → `IOERR`. */
function primaryCode(error: SQLiteError): string {
  return error.code?.split("_")[1] ?? "";
}

const KIND_OF_CODE: Readonly<Record<string, StoreErrorKind>> = {
  BUSY: "locked",
  LOCKED: "locked",
  FULL: "full",
  IOERR: "disk",
  CORRUPT: "damaged",
  NOTADB: "damaged",
  CANTOPEN: "unwritable",
  READONLY: "unwritable",
  PERM: "unwritable",
};

/** What an exception of SQLite or of the file system means; `failed` where nothing better is known. */
export function storeErrorKind(error: unknown): StoreErrorKind {
  if (error instanceof StoreError) return error.kind;
  if (error instanceof SQLiteError) return KIND_OF_CODE[primaryCode(error)] ?? "failed";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return typeof code === "string" && /^E[A-Z]+$/.test(code) ? "unwritable" : "failed";
}

const ADVICE: Readonly<Record<StoreErrorKind, string>> = {
  newer_schema: "Use the newer version, or start with another state directory.",
  locked: "Another process is writing to it for too long. End that process and try again.",
  unwritable: "Check that the directory exists and that this user may write to it.",
  damaged: "Start the server: it sets the file aside and goes on with a fresh one.",
  full: "Free some space on its disk.",
  disk: "Check the disk and the kernel's log.",
  missing: "Check the path, or start the server once to create it.",
  exists: "Choose another name or remove the file first.",
  bad_cursor: "Leave the cursor out to start from the first page.",
  closed: "The store is closed.",
  failed: "See the cause.",
};

/** The exception as a `StoreError` with its advice; one that is a `StoreError` already passes unchanged. */
export function toStoreError(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const kind = storeErrorKind(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(kind, `${what}: ${reason}. ${ADVICE[kind]}`, error);
}
