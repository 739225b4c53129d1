import { type Member, objectMembers, type Span } from "./scan.ts";

/** Replaces the bytes of a span by `text`, which is UTF-8 where it is bytes; an empty span inserts. */
export interface Edit extends Span {
  readonly text: string | Uint8Array;
}

const encoder = new TextEncoder();

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? encoder.encode(text) : text;
}

/** The bytes with all edits made. Edits must not overlap; their order does not matter. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let position = 0;
  for (const edit of inOrder(edits)) {
    pieces.push(bytes.subarray(position, edit.start), bytesOf(edit.text));
    position = edit.end;
  }
  pieces.push(bytes.subarray(position));
  return joinBytes(pieces);
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  let position = 0;
  for (const { start, end } of edits) {
    if (start < position) return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
    position = end;
  }
  return edits;
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const joined = new Uint8Array(length);
  let position = 0;
  for (const piece of pieces) {
    joined.set(piece, position);
    position += piece.length;
  }
  return joined;
}

/** The pieces as one, not to be written to: those that lie side by side in memory are not copied. */
export function joinViews(pieces: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = pieces.filter((piece) => piece.length > 0);
  if (!first) return new Uint8Array();
  let { length } = first;
  for (const piece of others) {
    const isNext = piece.buffer === first.buffer && piece.byteOffset === first.byteOffset + length;
    if (!isNext) return joinBytes(pieces);
    length += piece.length;
  }
  return others.length === 0 ? first : new Uint8Array(first.buffer, first.byteOffset, length);
}

/** What shall become of the members of an object; all others stay byte for byte. */
export interface ObjectChange {
  /** Key to JSON text. Every occurrence is replaced; a key that is absent is put first. */
  readonly set: ReadonlyMap<string, string | Uint8Array>;
  readonly remove: ReadonlySet<string>;
}

/** The edits that make a change to the object that opens at `open` and has these members. */
export function objectEdits(
  open: number,
  members: readonly Member[],
  { set, remove }: ObjectChange,
): Edit[] {
  const kept = remove.size === 0 ? members : members.filter(({ key }) => !remove.has(key));
  const edits = remove.size === 0 ? [] : removals(open, members, remove);
  // Of the few that are ever set a list is the cheapest set.
  const found: string[] = [];
  for (const { key, value } of kept) {
    const text = set.get(key);
    if (text === undefined) continue;
    edits.push({ start: value.start, end: value.end, text });
    if (!found.includes(key)) found.push(key);
  }
  if (found.length === set.size) return edits;
  // They stand first of all: so the edits mostly are in order.
  return [...additions(open, { set, found, isAlone: kept.length === 0 }), ...edits];
}

interface Added {
  readonly set: ObjectChange["set"];
  /** Keys that are there already. */
  readonly found: readonly string[];
  /** No other member follows. */
  readonly isAlone: boolean;
}

function additions(open: number, { set, found, isAlone }: Added): Edit[] {
  const at = open + 1;
  let left = set.size - found.length;
  const edits: Edit[] = [];
  for (const [key, value] of set) {
    if (found.includes(key)) continue;
    left--;
    const comma = left === 0 && isAlone ? "" : ",";
    edits.push({ start: at, end: at, text: memberText(key, value, comma) });
  }
  return edits;
}

function memberText(key: string, value: string | Uint8Array, comma: string): string | Uint8Array {
  const name = `${JSON.stringify(key)}:`;
  if (typeof value === "string") return `${name}${value}${comma}`;
  return joinBytes([bytesOf(name), value, bytesOf(comma)]);
}

/** A removed member takes the comma after it along; those after the last kept one the comma before. */
function removals(open: number, members: readonly Member[], remove: ReadonlySet<string>): Edit[] {
  const lastKept = members.findLastIndex(({ key }) => !remove.has(key));
  const edits: Edit[] = [];
  for (const [index, { key, keySpan }] of members.entries()) {
    const next = members[index + 1];
    if (index > lastKept || !next || !remove.has(key)) continue;
    edits.push({ start: keySpan.start, end: next.keySpan.start, text: "" });
  }
  const last = members.at(-1);
  if (last && lastKept < members.length - 1) {
    const start = members[lastKept]?.value.end ?? open + 1;
    edits.push({ start, end: last.value.end, text: "" });
  }
  return edits;
}

/** The object text with the change made; the bytes must hold one JSON object. */
export function changeObject(bytes: Uint8Array, change: ObjectChange): Uint8Array<ArrayBuffer> {
  const open = bytes.indexOf(0x7b);
  return applyEdits(bytes, objectEdits(open, objectMembers(bytes, open), change));
}
