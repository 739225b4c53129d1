import { isFilledText } from "./fields.ts";

export type Vector = Float32Array | readonly number[];

/** The numbers of an `embedding`, a list or base64 of little-endian float32; undefined if it is none. */
export function vectorOf(embedding: unknown): Vector | undefined {
  if (Array.isArray(embedding)) {
    const isVector = embedding.length > 0 && embedding.every(Number.isFinite);
    return isVector ? embedding : undefined;
  }
  return isFilledText(embedding) ? floatsOf(embedding) : undefined;
}

/** Base64 of the vector as little-endian float32. */
export function toBase64(vector: Vector): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) view.setFloat32(at * 4, value, true);
  return new Uint8Array(view.buffer).toBase64();
}

function floatsOf(base64: string): Float32Array | undefined {
  const bytes = bytesOf(base64);
  if (!bytes || bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  const floats = Float32Array.from({ length: bytes.length / 4 }, (_, at) =>
    view.getFloat32(at * 4, true),
  );
  return floats.every(Number.isFinite) ? floats : undefined;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return undefined;
  }
}
