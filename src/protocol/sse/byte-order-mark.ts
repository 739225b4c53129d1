import { joinBytes } from "../json/edit.ts";

const BOM = [0xef, 0xbb, 0xbf];

/** Drops one BOM at the very start of a stream, however it is cut into chunks. */
export class BomSkipper {
  #matched = 0;

  skip(chunk: Uint8Array): Uint8Array {
    if (this.#matched === BOM.length) return chunk;
    let at = 0;
    while (this.#matched < BOM.length && at < chunk.length && chunk[at] === BOM[this.#matched]) {
      this.#matched++;
      at++;
    }
    if (at === chunk.length || this.#matched === BOM.length) return chunk.subarray(at);
    // It only looked like a BOM: give back what earlier chunks took for one.
    const taken = Uint8Array.from(BOM.slice(0, this.#matched - at));
    this.#matched = BOM.length;
    return taken.length === 0 ? chunk : joinBytes([taken, chunk]);
  }
}
