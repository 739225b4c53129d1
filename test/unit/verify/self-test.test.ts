import { expect, test } from "bun:test";

import { arrayOf, objectOf, parseJson } from "../../../src/protocol/openai/fields.ts";
import { createFramer } from "../../../src/protocol/sse/framer.ts";
import { type Decode, type SelfTest, testDecoding } from "../../../src/verify/self-test.ts";

function deltaText(payload: string): string {
  const choice = objectOf(arrayOf(objectOf(parseJson(payload))["choices"])[0]);
  const { content } = objectOf(choice["delta"]);
  return typeof content === "string" ? content : "";
}

/** Decodes the way the router does. */
const framed: Decode = (chunks) => {
  const framer = createFramer({ max_frame: 1_000_000 });
  const frames = chunks.flatMap((chunk) => framer.push(chunk).frames);
  return frames.map(({ data }) => deltaText(data ?? "")).join("");
};

const contentOf = (text: string) => framed([new TextEncoder().encode(text)]);

test("the router's own framing passes its test", () => {
  expect(testDecoding(framed)).toEqual({ ok: true });
});

test.each<{ name: string; decode: Decode; result: SelfTest }>([
  {
    name: "each chunk on its own",
    decode: (chunks) => contentOf(chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")),
    result: { ok: false, fault: "lost", chunk_bytes: 1 },
  },
  {
    name: "by the charset that a header did not name",
    decode: (chunks) => contentOf(new TextDecoder("latin1").decode(Buffer.concat(chunks))),
    result: { ok: false, fault: "mangled", chunk_bytes: 1 },
  },
  {
    name: "with the last frame missing",
    decode: (chunks) => framed(chunks).slice(0, -1),
    result: { ok: false, fault: "different", chunk_bytes: 1 },
  },
  {
    name: "well only if chunks are large",
    decode: (chunks) => (chunks.length > 5 ? "" : framed(chunks)),
    result: { ok: false, fault: "different", chunk_bytes: 1 },
  },
])("a stream decoded $name fails it", ({ decode, result }) => {
  expect(testDecoding(decode)).toEqual(result);
});
