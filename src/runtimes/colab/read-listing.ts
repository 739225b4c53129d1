import type { ListedSession } from "../listing.ts";
import { insideBox, plainLines, squeeze } from "./output.ts";

export interface ReadListing {
  readonly sessions: readonly ListedSession[];
  /** Why a session may be missing from these; null if every line was understood. */
  readonly doubt: string | null;
}

/**
 * Reads `colab sessions`. It finds things that cost money, so it takes a line in any order of fields
 * and any decoration, and rather doubts the whole than overlooks one.
 */
export function readListing(stdout: string): ReadListing {
  const sessions = new Map<string, ListedSession>();
  let unread = 0;
  for (const line of plainLines(stdout)) {
    const session = readSession(line);
    if (session === null) unread += isUnderstood(line) ? 0 : 1;
    else if (sessions.get(session.endpoint)?.name == null) sessions.set(session.endpoint, session);
  }
  const found = [...sessions.values()];
  return { sessions: found, doubt: doubtOf({ stdout, found, unread }) };
}

function doubtOf(read: { stdout: string; found: readonly ListedSession[]; unread: number }) {
  if (read.unread > 0) {
    const lines = read.unread === 1 ? "one line" : `${read.unread} lines`;
    return `${lines} of \`colab sessions\` could not be read`;
  }
  const saysNone = squeeze(read.stdout).includes("noactivesessionsfound");
  if (saysNone && read.found.length > 0)
    return "`colab sessions` lists machines and says it has none";
  if (!saysNone && read.found.length === 0) return "`colab sessions` printed no list";
  return null;
}

const HEAD = /^\W*?\[\s*([^\]\s]+)\s*\]\s+([A-Za-z0-9][\w.-]*)(?=$|[\s|│])/;

/** `[name] endpoint | Hardware: T4 | Shape: Standard | Variant: GPU`, more or less. */
function readSession(line: string): ListedSession | null {
  const hardware = field(line, "Hardware");
  const [head, name = "", endpoint = ""] = HEAD.exec(line) ?? [];
  if (head === undefined || hardware === null) return null;
  return {
    name: name === "?" ? null : name,
    endpoint,
    hardware: hardware.toUpperCase(),
    variant: (field(line, "Variant") ?? "?").toUpperCase(),
  };
}

function field(line: string, label: string): string | null {
  const value = new RegExp(`\\b${label}\\s*:\\s*([\\w?.-]+)`, "i").exec(line)?.[1];
  return value ?? null;
}

/** Decoration, and what the command says beside the list. */
function isUnderstood(line: string): boolean {
  const text = insideBox(line);
  return !/[\p{L}\p{N}]/u.test(text) || (text.startsWith("[colab] ") && !text.includes("|"));
}
