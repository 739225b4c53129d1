/**
 * Each runtime has a home of its own for the official command, so that naming, pruning and history
 * of one never touch another, nor what the user does with `colab` by hand. Only the login is shared.
 *
 * The command writes each request, bearer tokens included, to `colab.log`, and each cell with its
 * output to `history/<session>.jsonl`. Both are links to nowhere here, which also holds when we are
 * killed.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { StoredSession } from "./driver.ts";

export interface ColabStore {
  /** The runtime's directory, 0700, made if need be. */
  readonly directory: string;
  readonly home: string;
  /** The argument of `--config`. */
  readonly sessions: string;
  readonly write: WriteText;
}

/** Puts a text in a file, whole or not at all; throws what the file system throws. */
export type WriteText = (path: string, text: string) => void;

export interface StoreDependencies {
  /** Where all stores are, such as `<state directory>/colab`. */
  readonly root: string;
  /** The user's home, whose login is used; null without one. */
  readonly userHome: string | null;
  /** How texts get on the disk, if not straight. */
  readonly write?: WriteText;
}

/** What we read of an entry; the command keeps more in it. */
const Entry = Type.Object({
  name: Type.String(),
  endpoint: Type.String({ minLength: 1 }),
  token_expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
type Entry = Static<typeof Entry>;

const SETTINGS = '{"enable_update_check": false}\n';

/**
 * Makes or completes the store of `name`; throws what the file system throws. One that is complete is
 * not written to: on a disk that is full a machine can still be released.
 */
export function openColabStore(
  { root, userHome, write = writeWhole }: StoreDependencies,
  name: string,
): ColabStore {
  const directory = join(root, name);
  const home = join(directory, "home");
  const settings = join(home, ".config", "colab-cli");
  mkdirSync(join(settings, "history"), { recursive: true, mode: 0o700 });
  if ((statSync(directory).mode & 0o777) !== 0o700) chmodSync(directory, 0o700);
  const file = join(settings, "settings.json");
  if (textOf(file) !== SETTINGS) write(file, SETTINGS);
  link("/dev/null", join(settings, "colab.log"));
  link("/dev/null", join(settings, "history", `${name}.jsonl`));
  if (userHome !== null) {
    link(join(userHome, ".config", "colab-cli", "token.json"), join(settings, "token.json"));
    const client = ".colab-cli-oauth-config.json";
    if (existsSync(join(userHome, client))) link(join(userHome, client), join(home, client));
  }
  return { directory, home, sessions: join(directory, "sessions.json"), write };
}

/** The session of that name; null where there is none, or the file is not one of the command's. */
export function readEntry(store: Sessions, name: string): StoredSession | null {
  const entry = entriesOf(store)[name];
  if (!Value.Check(Entry, entry)) return null;
  return { name, endpoint: entry.endpoint, token_expires_at: expiryOf(entry) };
}

/**
 * Makes the name stand for the endpoint. Token and address are left empty: the command fetches both
 * where the entry says no expiry. Nothing else may be using the store meanwhile.
 */
export function writeEntry(store: ColabStore, { name, endpoint }: Omit<Entry, "token_expires_at">) {
  const entry = { name, token: "", url: "", endpoint, token_expires_at: null };
  store.write(
    store.sessions,
    `${JSON.stringify({ ...entriesOf(store), [name]: entry }, null, 2)}\n`,
  );
}

export function removeColabStore({ root }: Pick<StoreDependencies, "root">, name: string): void {
  rmSync(join(root, name), { recursive: true, force: true });
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

type Sessions = Pick<ColabStore, "sessions">;

function entriesOf({ sessions }: Sessions): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(sessions, "utf8"));
    return Value.Check(Entries, parsed) ? parsed : {};
  } catch {
    // Missing, or cut short by a crash of the command: it takes that for an empty store too.
    return {};
  }
}

const Entries = Type.Record(Type.String(), Type.Unknown());

function expiryOf({ token_expires_at }: Entry): number | null {
  const at = Date.parse(token_expires_at ?? "");
  return Number.isNaN(at) ? null : at;
}

export function writeWhole(path: string, text: string): void {
  const next = `${path}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** Puts the link in place of whatever is there. */
function link(target: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return;
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
