/** More than any vendor lists; what a hostile one sends beyond it is not kept. */
const MAX_MODELS = 10_000;
const MAX_ID_LENGTH = 256;

export interface ModelEntry {
  readonly id: string;
  /** What the listing has under this id; a bare id where that is all. */
  readonly entry: unknown;
}

/**
 * Model ids of a listing, in its order: OpenAI's `{data}`, a bare array, or Ollama's `{models}`.
 * Undefined if it is none of them. Ids that could not be addressed or logged safely are left out.
 */
export function modelIds(listing: unknown, prefix: string): string[] | undefined {
  if (entriesOf(listing) === undefined) return undefined;
  return Array.from(modelEntries(listing, prefix), ({ id }) => id);
}

/** The models of a listing with their first entry each; none if it is no listing. */
export function modelEntries(listing: unknown, prefix: string): readonly ModelEntry[] {
  const found = new Map<string, ModelEntry>();
  for (const entry of entriesOf(listing) ?? []) {
    const id = idOf(entry);
    if (id === undefined) continue;
    const stripped = id.startsWith(prefix) ? id.slice(prefix.length) : id;
    if (isAddressable(stripped) && !found.has(stripped)) {
      found.set(stripped, { id: stripped, entry });
    }
    if (found.size === MAX_MODELS) break;
  }
  return [...found.values()];
}

/** The array that a listing consists of, whatever its wrapping. */
export function entriesOf(listing: unknown): readonly unknown[] | undefined {
  if (Array.isArray(listing)) return listing;
  // llama.cpp sends both; `data` holds the ids its own completions take.
  const wrapped = memberOf(listing, "data") ?? memberOf(listing, "models");
  return Array.isArray(wrapped) ? wrapped : undefined;
}

/** A member of a JSON object; undefined for everything that is no object or lacks it. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...value };
  return members[name];
}

function idOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  for (const name of ["id", "model", "key", "name"]) {
    const value = memberOf(entry, name);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Not empty, not overlong, and free of blanks, control and format characters. */
function isAddressable(id: string): boolean {
  return id.length > 0 && id.length <= MAX_ID_LENGTH && !/[\s\p{C}]/u.test(id);
}
