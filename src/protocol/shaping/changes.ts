import { applyEdits, type Edit, objectEdits } from "../json/edit.ts";
import { arrayItems, memberValue, objectMembers } from "../json/scan.ts";
import { isObject, type JsonObject } from "../openai/fields.ts";
import type { BodySource } from "../openai/outgoing.ts";

/**
 * What shall become of a JSON value: members of an object are set, removed or renamed, and what is
 * below it changes in turn. What is set or removed at one place wins over changes below it.
 */
export interface Change {
  readonly set: Map<string, unknown>;
  readonly remove: Set<string>;
  /** The value stays byte for byte; nothing else may have the new name. */
  readonly rename: Map<string, string>;
  /** By member of an object or position in an array; what is not there is passed over. */
  readonly within: Map<string | number, Change>;
}

type Path = readonly (string | number)[];

export function createChange(): Change {
  return { set: new Map(), remove: new Set(), rename: new Map(), within: new Map() };
}

/** The change of what stands at a path below, made if there is none yet. */
export function changeAt(change: Change, path: Path): Change {
  let at = change;
  for (const step of path) {
    const below = at.within.get(step) ?? createChange();
    at.within.set(step, below);
    at = below;
  }
  return at;
}

/** Whether nothing changes anywhere. */
export function isUnchanged({ set, remove, rename, within }: Change): boolean {
  return set.size + remove.size + rename.size === 0 && within.values().every(isUnchanged);
}

/** The body with the change spliced in: every byte outside it stays. The same body if nothing changes. */
export function applyChanges(source: BodySource, change: Change): BodySource {
  if (isUnchanged(change)) return source;
  const edits = editsOf(source.bytes, source.open, change);
  const bytes = applyEdits(source.bytes, edits);
  return {
    bytes,
    open: source.open,
    members: objectMembers(bytes, source.open),
    parsed: changedObject(source.parsed, change),
  };
}

function editsOf(bytes: Uint8Array, start: number, change: Change): Edit[] {
  const { set, remove, rename, within } = change;
  const members = objectMembers(bytes, start);
  const items = members.length === 0 ? arrayItems(bytes, start) : [];
  const below = [...within].flatMap(([step, inner]) => {
    if (typeof step === "string" && (set.has(step) || remove.has(step))) return [];
    const span = typeof step === "string" ? memberValue(members, step) : items[step];
    return span ? editsOf(bytes, span.start, inner) : [];
  });
  if (set.size + remove.size + rename.size === 0) return below;
  const texts = new Map([...set].map(([key, value]) => [key, JSON.stringify(value)]));
  const renames = members.flatMap(({ key, keySpan }) => {
    const name = remove.has(key) ? undefined : rename.get(key);
    return name === undefined ? [] : [{ ...keySpan, text: JSON.stringify(name) }];
  });
  return [...below, ...renames, ...objectEdits(start, members, { set: texts, remove })];
}

/** What a parser makes of the changed text. */
export function changedObject(value: JsonObject, change: Change): JsonObject {
  const changed: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (change.remove.has(key) || change.set.has(key)) continue;
    changed.push([change.rename.get(key) ?? key, changedMember(member, change.within.get(key))]);
  }
  // Not an object literal: `__proto__` is a key like any other.
  return Object.fromEntries([...changed, ...change.set]);
}

function changedMember(value: unknown, change: Change | undefined): unknown {
  if (change === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((entry, index) => changedMember(entry, change.within.get(index)));
  }
  return isObject(value) ? changedObject(value, change) : value;
}
