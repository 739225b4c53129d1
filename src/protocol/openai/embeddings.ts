import { applyEdits, type Edit } from "../json/edit.ts";
import { arrayItems, memberValue, objectMembers, textOf } from "../json/scan.ts";
import { arrayOf, type JsonObject, objectOf } from "./fields.ts";

export type EmbeddingsCheck =
  | { readonly kind: "ok"; readonly bytes: Uint8Array; readonly edits: readonly string[] }
  /** `dimensions` was asked for and not honoured. */
  | { readonly kind: "wrong_width"; readonly width: number }
  | { readonly kind: "malformed"; readonly reason: string };

interface EmbeddingsRequest {
  readonly wants_base64: boolean;
  readonly dimensions: number | null;
  /** How many inputs were sent; null if the input is one token array. */
  readonly inputs: number | null;
}

/** What of an embeddings request decides how its answer must look. */
export function readEmbeddingsRequest(parsed: JsonObject): EmbeddingsRequest {
  const { input, encoding_format: format, dimensions } = parsed;
  const isBatch = Array.isArray(input) && typeof input[0] !== "number";
  return {
    wants_base64: format === "base64",
    dimensions: typeof dimensions === "number" ? dimensions : null,
    inputs: isBatch ? arrayOf(input).length : 1,
  };
}

/**
 * Turns floats into base64 (little-endian float32) or back, as the client asked, and puts the rows in
 * the order of their `index`: SDKs of three majors read floats where they asked for base64 as an
 * empty vector, without an error.
 */
export function fitEmbeddings(
  bytes: Uint8Array,
  body: JsonObject,
  request: EmbeddingsRequest,
): EmbeddingsCheck {
  const rows = arrayOf(body["data"]).map(objectOf);
  if (rows.length === 0) return { kind: "malformed", reason: "the answer has no `data` rows" };
  if (request.inputs !== null && rows.length !== request.inputs) {
    return { kind: "malformed", reason: `${rows.length} rows for ${request.inputs} inputs` };
  }
  const vectors = rows.map((row) => floatsOf(row["embedding"]));
  if (vectors.includes(undefined)) {
    return { kind: "malformed", reason: "a row's `embedding` is no vector" };
  }
  const width = vectors.find((vector) => vector && vector.length !== request.dimensions)?.length;
  if (request.dimensions !== null && width !== undefined) return { kind: "wrong_width", width };
  const { wants_base64: wantsBase64 } = request;
  return convert({ bytes, rows, vectors, wantsBase64 });
}

function convert({
  bytes,
  rows,
  vectors,
  wantsBase64,
}: {
  readonly bytes: Uint8Array;
  readonly rows: readonly JsonObject[];
  readonly vectors: readonly (Float32Array | readonly number[] | undefined)[];
  readonly wantsBase64: boolean;
}): EmbeddingsCheck {
  const list = memberValue(objectMembers(bytes), "data");
  const items = list ? arrayItems(bytes, list.start) : [];
  const edits: Edit[] = [];
  for (const [position, item] of items.entries()) {
    const given = rows[position]?.["embedding"];
    if ((typeof given === "string") === wantsBase64) continue;
    const span = memberValue(objectMembers(bytes, item.start), "embedding");
    const vector = vectors[position] ?? [];
    const text = wantsBase64 ? toBase64(vector) : [...vector];
    if (span) edits.push({ ...span, text: JSON.stringify(text) });
  }
  const names = edits.length > 0 ? ["embedding_format"] : [];
  const converted = edits.length > 0 ? applyEdits(bytes, edits) : bytes;
  const order = rows.map((row, position) =>
    typeof row["index"] === "number" ? row["index"] : position,
  );
  const isOrdered = order.every(
    (index, position) => position === 0 || (order[position - 1] ?? 0) <= index,
  );
  if (isOrdered) return { kind: "ok", bytes: converted, edits: names };
  return { kind: "ok", bytes: reorder(converted, order), edits: [...names, "embedding_order"] };
}

function reorder(bytes: Uint8Array, order: readonly number[]): Uint8Array {
  const list = memberValue(objectMembers(bytes), "data");
  if (!list) return bytes;
  const items = arrayItems(bytes, list.start);
  const sorted = items
    .map((item, position) => ({ item, index: order[position] ?? position }))
    .toSorted((a, b) => a.index - b.index);
  const text = `[${sorted.map(({ item }) => textOf(bytes, item)).join(",")}]`;
  return applyEdits(bytes, [{ ...list, text }]);
}

function floatsOf(embedding: unknown): Float32Array | readonly number[] | undefined {
  if (Array.isArray(embedding)) {
    return embedding.every((value) => typeof value === "number") ? embedding : undefined;
  }
  if (typeof embedding !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(embedding)) return undefined;
  const binary = Uint8Array.from(atob(embedding), (char) => char.charCodeAt(0));
  if (binary.length === 0 || binary.length % 4 !== 0) return undefined;
  const view = new DataView(binary.buffer);
  return Float32Array.from({ length: binary.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

function toBase64(vector: Float32Array | readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) view.setFloat32(at * 4, value, true);
  return new Uint8Array(view.buffer).toBase64();
}
