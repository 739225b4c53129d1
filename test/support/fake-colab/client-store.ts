import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** One entry of `sessions.json`, in the order of the real one. */
export interface StoreEntry {
  name: string;
  token: string;
  url: string;
  endpoint: string;
  token_expires_at: string | null;
  variant: string;
  accelerator: string;
  machine_shape: string;
  kernel_id: string | null;
  session_id: string | null;
  last_execution: [string, string | null, string] | null;
  running: string | null;
}

/** The client's truth, apart from the server's: nearly all real mishaps live between the two. */
export interface ClientStore {
  readonly all: () => Record<string, StoreEntry>;
  readonly get: (name: string) => StoreEntry | undefined;
  readonly add: (entry: StoreEntry) => void;
  readonly remove: (name: string) => void;
}

/** Thrown where the disk takes nothing; the file is cut by then, for it is written in place. */
export class NoSpace extends Error {}

/** `takes`: whether the disk takes a file there. */
export function clientStore(path: string, takes: (path: string) => boolean): ClientStore {
  const all = (): Record<string, StoreEntry> => {
    try {
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      const found: Record<string, Partial<StoreEntry>> = text.trim() === "" ? {} : JSON.parse(text);
      return Object.fromEntries(Object.entries(found).map(([name, entry]) => [name, whole(entry)]));
    } catch {
      // As the real one: what it cannot read is an empty store.
      return {};
    }
  };
  const save = (entries: Record<string, StoreEntry>) => {
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeFileSync(path, takes(path) ? JSON.stringify(entries, null, 2) : "");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOSPC") throw new NoSpace();
      throw error;
    }
    if (!takes(path)) throw new NoSpace();
  };
  return {
    all,
    get: (name) => all()[name],
    add: (entry) => save({ ...all(), [entry.name]: entry }),
    remove(name) {
      const { [name]: gone, ...rest } = all();
      if (gone !== undefined) save(rest);
    },
  };
}

const OPTIONAL = {
  token_expires_at: null,
  variant: "DEFAULT",
  accelerator: "NONE",
  machine_shape: "STANDARD",
  kernel_id: null,
  session_id: null,
  last_execution: null,
  running: null,
} as const;

function whole(entry: Partial<StoreEntry>): StoreEntry {
  const { name, token, url, endpoint } = entry;
  if (name === undefined || token === undefined || url === undefined || endpoint === undefined) {
    throw new Error("not an entry");
  }
  return { ...OPTIONAL, ...entry, name, token, url, endpoint };
}
