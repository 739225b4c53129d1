import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { shapeOf } from "../../../src/relay/answer-shape.ts";
import type { Read } from "../../../src/relay/body-reader.ts";
import { sniff } from "../../../src/relay/sniff.ts";

const HEADERS = new Headers({ "content-type": "text/plain" });

/** A body of these chunks; what was put back comes first again. */
function bodyOf(chunks: readonly Uint8Array[]) {
  const left = [...chunks];
  return {
    left,
    read: async (): Promise<Read> => {
      const bytes = left.shift();
      return bytes === undefined ? { kind: "end" } : { kind: "chunk", bytes };
    },
    putBack: (bytes: Uint8Array) => void left.unshift(bytes),
  };
}

const body = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.constantFrom("", " ", "\n\n", " \r\n\t"),
    fc.constantFrom('{"id":1}', "data: {}", ": hello", "event: e", "null", "dated", "<html>", ""),
  )
  .map((parts) => new TextEncoder().encode(parts.join("")));

test("a body shows the same shape however it is cut, and nothing of it is lost", async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.array(fc.integer({ min: 1, max: 3 })), async (bytes, sizes) => {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += chunks.at(-1)?.length ?? 1) {
        chunks.push(bytes.slice(at, at + (sizes[chunks.length] ?? 1)));
      }
      const reader = bodyOf(chunks);

      const sniffed = await sniff(reader, HEADERS);

      expect(sniffed).toMatchObject({ kind: "shape", shape: shapeOf(bytes, HEADERS) });
      expect(Buffer.concat(reader.left).toString("hex")).toBe(Buffer.from(bytes).toString("hex"));
    }),
    { numRuns: 1000 },
  );
});

test("blank after blank is read no further than a body without a shape", async () => {
  const blanks = Array.from({ length: 70_000 }, () => new Uint8Array([0x20]));
  const reader = bodyOf(blanks);

  const sniffed = await sniff(reader, HEADERS);

  expect(sniffed).toMatchObject({ kind: "shape", shape: "undecided" });
  expect(reader.left.map(({ length }) => length).slice(0, 2)).toEqual([64 * 1024, 1]);
});
