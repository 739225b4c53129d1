import { applyEdits, type Edit } from "../json/edit.ts";
import { arrayItems, memberValue, objectMembers, type Span } from "../json/scan.ts";
import { arrayOf, type JsonObject, objectOf } from "./fields.ts";
import { toBase64, type Vector, vectorOf } from "./vectors.ts";

export type EmbeddingsCheck =
  | { readonly kind: "ok"; readonly bytes: Uint8Array; readonly edits: readonly string[] }
  /** `dimensions` was asked for and not honoured. */
  | { readonly kind: "wrong_width"; readonly width: number }
  | { readonly kind: "malformed"; readonly reason: string };

interface EmbeddingsRequest {
  /** `other` for a vendor's own encodings, which are passed on unread. */
  readonly format: "float" | "base64" | "other";
  readonly dimensions: number | null;
  /** How many inputs were sent; a token array is one. */
  readonly inputs: number;
}

/** What of an embeddings request decides how its answer must look. */
export function readEmbeddingsRequest(parsed: JsonObject): EmbeddingsRequest {
  const { input, encoding_format: format, dimensions } = parsed;
  const isBatch = Array.isArray(input) && typeof input[0] !== "number";
  return {
    format: formatOf(format ?? "float"),
    dimensions: typeof dimensions === "number" ? dimensions : null,
    inputs: isBatch ? arrayOf(input).length : 1,
  };
}

function formatOf(format: unknown): EmbeddingsRequest["format"] {
  return format === "float" || format === "base64" ? format : "other";
}

/**
 * Turns floats into base64 or back, as the client asked, and puts the rows in the order of their
 * `index`: SDKs of three majors read floats where they asked for base64 as an empty vector, without
 * an error. `bytes` are those of `body`.
 */
export function fitEmbeddings(
  bytes: Uint8Array,
  body: JsonObject,
  { format, dimensions, inputs }: EmbeddingsRequest,
): EmbeddingsCheck {
  const rows = arrayOf(body["data"]).map(objectOf);
  if (rows.length === 0) return { kind: "malformed", reason: "the answer has no `data` rows" };
  if (rows.length !== inputs) {
    return { kind: "malformed", reason: `${rows.length} rows for ${inputs} inputs` };
  }
  if (format === "other") return ordered(bytes, rows, []);
  const vectors = rows.map((row) => vectorOf(row["embedding"]));
  const wrong = vectors.findIndex((vector) => vector === undefined);
  if (wrong !== -1) {
    return { kind: "malformed", reason: `the \`embedding\` of row ${wrong} is no vector` };
  }
  const width = vectors.find((vector) => vector?.length !== dimensions)?.length;
  if (dimensions !== null && width !== undefined) return { kind: "wrong_width", width };
  const edits = rowSpans(bytes).flatMap((row, position) =>
    formatEdits(bytes, row, {
      given: rows[position]?.["embedding"],
      vector: vectors[position] ?? [],
      wantsBase64: format === "base64",
    }),
  );
  if (edits.length === 0) return ordered(bytes, rows, []);
  return ordered(applyEdits(bytes, edits), rows, ["embedding_format"]);
}

interface Row {
  readonly given: unknown;
  readonly vector: Vector;
  readonly wantsBase64: boolean;
}

function formatEdits(bytes: Uint8Array, row: Span, { given, vector, wantsBase64 }: Row): Edit[] {
  if ((typeof given === "string") === wantsBase64) return [];
  const span = memberValue(objectMembers(bytes, row.start), "embedding");
  const text = wantsBase64 ? JSON.stringify(toBase64(vector)) : `[${vector.join(",")}]`;
  return span ? [{ ...span, text }] : [];
}

/** Rows change places; what stands between them stays. */
function ordered(
  bytes: Uint8Array,
  rows: readonly JsonObject[],
  edits: readonly string[],
): EmbeddingsCheck {
  const order = rows.map(({ index }, position) => (typeof index === "number" ? index : position));
  const sorted = [...order.keys()].toSorted((a, b) => (order[a] ?? a) - (order[b] ?? b));
  if (sorted.every((from, to) => from === to)) return { kind: "ok", bytes, edits };
  const spans = rowSpans(bytes);
  const moves = spans.flatMap((span, to): Edit[] => {
    const from = spans[sorted[to] ?? to] ?? span;
    return from === span ? [] : [{ ...span, text: bytes.subarray(from.start, from.end) }];
  });
  return { kind: "ok", bytes: applyEdits(bytes, moves), edits: [...edits, "embedding_order"] };
}

function rowSpans(bytes: Uint8Array): Span[] {
  const list = memberValue(objectMembers(bytes), "data");
  return list ? arrayItems(bytes, list.start) : [];
}
