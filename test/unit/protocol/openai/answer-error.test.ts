import { expect, test } from "bun:test";

import { isErrorAnswer, isErrorChunk } from "../../../../src/protocol/openai/answer-error.ts";

const balance = { status_code: 1008, status_msg: "insufficient balance" };
const delta = { index: 0, delta: { content: "hi" }, finish_reason: null };
const message = { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" };

test.each([
  { what: "MiniMax's failure", body: { choices: null, base_resp: balance }, is: true },
  { what: "MiniMax's failure in a stream", body: { choices: [], base_resp: balance }, is: true },
  {
    what: "MiniMax's success",
    body: { choices: [message], base_resp: { status_code: 0, status_msg: "" } },
    is: false,
  },
  {
    what: "MiniMax's chunk",
    body: { choices: [delta], base_resp: { status_code: 0, status_msg: "" } },
    is: false,
  },
  {
    what: "a last chunk of usage",
    body: { choices: [], base_resp: { status_code: 0 } },
    is: false,
  },
  {
    what: "a code that is no number",
    body: { choices: [], base_resp: { status_code: "x" } },
    is: false,
  },
])("$what is an error: $is", ({ body, is }) => {
  expect([isErrorAnswer(body), isErrorChunk(body)]).toEqual([is, is]);
});
