import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  fitEmbeddings,
  readEmbeddingsRequest,
} from "../../../../src/protocol/openai/embeddings.ts";
import { toBase64, vectorOf } from "../../../../src/protocol/openai/vectors.ts";

/** The check of an answer's text, with the resulting text. */
function fitted(text: string, request: Readonly<Record<string, unknown>>) {
  const bytes = new TextEncoder().encode(text);
  const check = fitEmbeddings(bytes, JSON.parse(text), readEmbeddingsRequest(request));
  return check.kind === "ok"
    ? { ...check, bytes: undefined, text: new TextDecoder().decode(check.bytes) }
    : check;
}

const ok = (text: string, ...edits: string[]) => ({
  kind: "ok" as const,
  bytes: undefined,
  text,
  edits,
});
const HALF = "AAAAPwAAgL4=";

test.each([
  { name: "one text", input: "a", inputs: 1 },
  { name: "two texts", input: ["a", "b"], inputs: 2 },
  { name: "one list of tokens", input: [1, 2, 3], inputs: 1 },
  { name: "two lists of tokens", input: [[1], [2, 3]], inputs: 2 },
])("$name counts as $inputs", ({ input, inputs }) => {
  expect(readEmbeddingsRequest({ input })).toEqual({ format: "float", dimensions: null, inputs });
});

const oneRow = (embedding: string) =>
  `{ "object":"list","data":[ {"object":"embedding","index":0,"embedding":${embedding},"x":1.0} ],"usage":{"prompt_tokens":9007199254740993},"a":1,"a":2}`;

test.each([
  {
    name: "floats for floats",
    format: "float",
    given: "[ 0.5,-2.5e-1 ]",
    edits: [],
    left: "[ 0.5,-2.5e-1 ]",
  },
  {
    name: "floats where nothing was asked",
    format: undefined,
    given: "[0.5,-0.25]",
    edits: [],
    left: "[0.5,-0.25]",
  },
  { name: "base64 for base64", format: "base64", given: `"${HALF}"`, edits: [], left: `"${HALF}"` },
  {
    name: "floats for base64",
    format: "base64",
    given: "[0.5,-0.25]",
    edits: ["embedding_format"],
    left: `"${HALF}"`,
  },
  {
    name: "base64 for floats",
    format: "float",
    given: `"${HALF}"`,
    edits: ["embedding_format"],
    left: "[0.5,-0.25]",
  },
  {
    name: "base64 where nothing was asked",
    format: undefined,
    given: `"${HALF}"`,
    edits: ["embedding_format"],
    left: "[0.5,-0.25]",
  },
  { name: "a vendor's own format", format: "int8", given: '"AQI="', edits: [], left: '"AQI="' },
])(
  "$name: the client gets what it asked for, all else byte for byte",
  ({ format, given, edits, left }) => {
    expect(fitted(oneRow(given), { input: "a", encoding_format: format })).toEqual(
      ok(oneRow(left), ...edits),
    );
  },
);

test("any vector survives base64 and back to the bit", () => {
  fc.assert(
    fc.property(
      fc.float32Array({ minLength: 1, noNaN: true, noDefaultInfinity: true }),
      (vector) => {
        expect(vectorOf(toBase64(vector))).toEqual(vector);
        const written: unknown = JSON.parse(`[${vector.join(",")}]`);
        expect(Float32Array.from(vectorOf(written) ?? [])).toEqual(
          vector.map((value) => value + 0),
        );
      },
    ),
  );
});

const rowText = (index: number, value: number) =>
  `{"index":${index},"embedding":[${value}],"n":1.0}`;

test("rows are put in the order of their index, with what stands between them as it was", () => {
  const check = fitted(`{"data":[ ${rowText(2, 3)} ,\n${rowText(0, 1)},${rowText(1, 2)}]}`, {
    input: ["a", "b", "c"],
  });

  expect(check).toEqual(
    ok(`{"data":[ ${rowText(0, 1)} ,\n${rowText(1, 2)},${rowText(2, 3)}]}`, "embedding_order"),
  );
});

test("rows are converted and ordered together", () => {
  const check = fitted('{"data":[{"index":1,"embedding":[0.5]},{"index":0,"embedding":[-0.25]}]}', {
    input: ["a", "b"],
    encoding_format: "base64",
  });

  expect(check).toEqual(
    ok(
      '{"data":[{"index":0,"embedding":"AACAvg=="},{"index":1,"embedding":"AAAAPw=="}]}',
      "embedding_format",
      "embedding_order",
    ),
  );
});

test.each([
  { name: "no index at all", rows: '[{"embedding":[1]},{"embedding":[2]}]' },
  { name: "one index for all", rows: '[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]' },
])("rows with $name stay where they are", ({ rows }) => {
  const text = `{"data":${rows}}`;

  expect(fitted(text, { input: ["a", "b"] })).toEqual(ok(text));
});

test.each([
  {
    name: "wide enough",
    dimensions: 2,
    given: "[1,2]",
    check: ok('{"data":[{"index":0,"embedding":[1,2]}]}'),
  },
  {
    name: "too wide",
    dimensions: 1,
    given: "[1,2]",
    check: { kind: "wrong_width" as const, width: 2 },
  },
  {
    name: "too narrow, in base64",
    dimensions: 3,
    given: `"${HALF}"`,
    check: { kind: "wrong_width" as const, width: 2 },
  },
])("vectors that are $name for the `dimensions` asked for", ({ dimensions, given, check }) => {
  expect(fitted(`{"data":[{"index":0,"embedding":${given}}]}`, { input: "a", dimensions })).toEqual(
    check,
  );
});

test.each([
  { name: "no rows", text: '{"data":[]}', reason: "the answer has no `data` rows" },
  { name: "no data", text: '{"object":"list"}', reason: "the answer has no `data` rows" },
  { name: "too few rows", text: '{"data":[{"embedding":[1]}]}', reason: "1 rows for 2 inputs" },
  {
    name: "too many rows",
    text: '{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}',
    reason: "3 rows for 2 inputs",
  },
  {
    name: "an empty vector",
    text: '{"data":[{"embedding":[1]},{"embedding":[]}]}',
    reason: "the `embedding` of row 1 is no vector",
  },
  {
    name: "no vector",
    text: '{"data":[{"embedding":null},{"embedding":[1]}]}',
    reason: "the `embedding` of row 0 is no vector",
  },
  {
    name: "a list in a list",
    text: '{"data":[{"embedding":[[1]]},{"embedding":[1]}]}',
    reason: "the `embedding` of row 0 is no vector",
  },
  {
    name: "text that is no base64",
    text: '{"data":[{"embedding":"%%%%"},{"embedding":[1]}]}',
    reason: "the `embedding` of row 0 is no vector",
  },
  {
    name: "base64 of half a float",
    text: '{"data":[{"embedding":"AAA="},{"embedding":[1]}]}',
    reason: "the `embedding` of row 0 is no vector",
  },
  {
    name: "base64 of what is no number",
    text: '{"data":[{"embedding":"AADAfw=="},{"embedding":[1]}]}',
    reason: "the `embedding` of row 0 is no vector",
  },
])("an answer with $name is malformed", ({ text, reason }) => {
  expect(fitted(text, { input: ["a", "b"] })).toEqual({ kind: "malformed", reason });
});
