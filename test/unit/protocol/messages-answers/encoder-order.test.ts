import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  arrayOf,
  isVisible,
  type JsonObject,
  objectOf,
} from "../../../../src/protocol/openai/fields.ts";
import { blocksIn } from "./blocks-in.ts";
import { callChunk, chunk, encoded } from "./streams.ts";

const piece = fc.oneof(
  fc.string({ minLength: 1, maxLength: 4 }).map((content) => chunk({ content })),
  fc
    .string({ minLength: 1, maxLength: 4 })
    .map((reasoning_content) => chunk({ reasoning_content })),
  fc
    .tuple(fc.nat(2), fc.constantFrom("", "{", "}", '{"a":1}', '"x"'), fc.boolean())
    .map(([index, args, isFirst]) =>
      callChunk(index, args, isFirst ? { id: `c${index}`, name: `f${index}` } : {}),
    ),
);

test("blocks never overlap, none is empty, and no text is lost, whatever the order of the deltas", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (chunks) => {
      const { events } = encoded(chunks);
      const blocks = blocksIn(events);
      const said = (kind: string) =>
        blocks.flatMap(([type, text]) => (type === kind ? [text] : [])).join("");
      const given = (name: string) => chunks.map((each) => textOf(each, name)).join("");

      expect(said("thinking")).toBe(given("reasoning_content"));
      expect(withoutBlanks(said("text"))).toBe(withoutBlanks(given("content")));
      expect(blocks.filter(([type, text]) => type === "text" && !isVisible(text))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

function textOf({ choices }: JsonObject, name: string): string {
  const text = objectOf(objectOf(arrayOf(choices)[0])["delta"])[name];
  return typeof text === "string" ? text : "";
}

/** Text without a visible character makes no block. */
const withoutBlanks = (text: string) => Array.from(text).filter(isVisible).join("");
