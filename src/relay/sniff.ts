import { joinViews } from "../protocol/json/edit.ts";
import { isBlank, shapeOf } from "./answer-shape.ts";
import type { BodyReader } from "./body-reader.ts";

/** So much of a body without a shape is no answer. */
const MAX_SNIFFED_BYTES = 64 * 1024;
/** In bytes: of as many blanks none is the start of a byte order mark. */
const BOM_LENGTH = 3;
const NOTHING = new Uint8Array();

/** Reads until the body shows its shape; what was read is read again by whoever follows. */
export async function sniff(reader: Pick<BodyReader, "read" | "putBack">, headers: Headers) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let opening: Uint8Array = NOTHING;
  for (;;) {
    const read = await reader.read();
    if (read.kind === "stopped" || read.kind === "broken") return read;
    const piece = read.kind === "chunk" ? read.bytes : NOTHING;
    pieces.push(piece);
    size += piece.length;
    opening = joinViews([opening, piece]);
    const shape = shapeOf(opening, headers);
    // An upstream may send blank after blank: they are not looked at again for each.
    if (opening.length >= BOM_LENGTH && isBlank(opening)) opening = NOTHING;
    if (shape === "undecided" && read.kind === "chunk" && size < MAX_SNIFFED_BYTES) continue;
    const start = joinViews(pieces);
    reader.putBack(start);
    return { kind: "shape", shape, start } as const;
  }
}
