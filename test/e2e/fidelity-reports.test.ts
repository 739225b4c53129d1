import { expect, test } from "bun:test";

import { missingCovers, type Report } from "../support/reports.ts";

const MESSAGES = "Messages and Responses have no routes yet";

/** Faults that hurt people who run gateways, by their case id, and the tests that hold each of them off. */
const REPORTS: Readonly<Record<string, Report>> = {
  "sse-framing-01": {
    covers: [
      ["e2e/sse.test.ts", "comments before and between"],
      ["e2e/shapes.test.ts", "a stream of comments"],
    ],
  },
  "sse-framing-02": {
    covers: [["e2e/sse.test.ts", "the first event is delivered when its blank line has come"]],
  },
  "sse-framing-04": {
    covers: [
      ["e2e/sse.test.ts", "no space after `data:`"],
      ["e2e/sse.test.ts", "two spaces after `data:`"],
      ["e2e/edits-errors.test.ts", "an error event without spaces"],
    ],
  },
  "sse-framing-05": {
    covers: [
      ["e2e/edits.test.ts", "(a) a leading BOM goes"],
      ["e2e/edits.test.ts", "(a) a later U+FEFF stays"],
    ],
  },
  "sse-framing-07": {
    covers: [
      ["e2e/sse.test.ts", "an event whose one line is $name long passes whole"],
      ["e2e/sse.test.ts", "an event above `routing.max_frame` ends the stream"],
      ["unit/protocol/sse/framer.test.ts", "a line of 4 MiB in small chunks is read once"],
    ],
    left: MESSAGES,
  },
  "sse-framing-08": {
    covers: [["e2e/edits.test.ts", "(b) a last frame with $name gets its blank line"]],
    left: MESSAGES,
  },
  "sse-framing-10": { covers: [["e2e/edits.test.ts", "(d) everything after `[DONE]` goes"]] },
  "sse-framing-11": {
    covers: [
      ["e2e/sse.test.ts", "a first object cut in mid-write, a second on its line"],
      ["e2e/sse.test.ts", "the literal `data: ` inside a text is text"],
    ],
  },
  "encoding-01": {
    covers: [
      ["e2e/sse.test.ts", "UTF-8 split at every byte position"],
      ["e2e/sse.test.ts", "a stream in pieces of %d bytes"],
    ],
  },
  "encoding-02": {
    covers: [["e2e/encoding.test.ts", "text that an upstream encoded twice is passed on"]],
    left: "Telling such text from other text is the verifier's work.",
  },
  "encoding-04": {
    covers: [
      ["e2e/encoding.test.ts", "a stream with $name is UTF-8"],
      ["e2e/encoding.test.ts", "an answer with $name is UTF-8"],
    ],
  },
  "encoding-05": { covers: [["e2e/encoding.test.ts", "a charset in odd case"]] },
  "encoding-07": {
    covers: [
      ["e2e/encoding.test.ts", "the client's own `accept-encoding` is not the upstream's business"],
      ["e2e/encoding.test.ts", "$name is a clean 502 that names it"],
    ],
  },
  "encoding-08": {
    covers: [
      ["e2e/encoding.test.ts", "a request compressed with $name reaches the upstream plain"],
      ["e2e/encoding.test.ts", "$name from a client is refused by name"],
    ],
    left: MESSAGES,
  },
  "mid-stream-error-01": {
    covers: [
      ["e2e/edits-rescue.test.ts", "an error beside empty choices, in a stream"],
      ["e2e/edits-errors.test.ts", "an error beside empty choices"],
    ],
    left: MESSAGES,
  },
  "mid-stream-error-02": {
    covers: [
      ["e2e/edits-rescue.test.ts", "a rate limit, whole"],
      ["e2e/edits-rescue.test.ts", "a failed choice, whole"],
    ],
  },
  "mid-stream-error-04": {
    covers: [["e2e/edits-rescue.test.ts", "an overload as an error event, in a stream"]],
    left: MESSAGES,
  },
  "mid-stream-error-05": {
    covers: [["e2e/edits-rescue.test.ts", "is an HTTP 400, not an empty stream"]],
  },
  "mid-stream-error-07": {
    covers: [
      [
        "e2e/failover.test.ts",
        "a stream that breaks after its first content ends with an error event",
      ],
      ["e2e/edits.test.ts", "(b) a last frame that is cut inside its payload goes"],
    ],
    left: MESSAGES,
  },
  "mid-stream-error-08": {
    covers: [["e2e/edits-rescue.test.ts", "context length exceeded from messages"]],
  },
  "empty-completion-01": {
    covers: [
      ["e2e/shapes-empty.test.ts", "null after a large prompt"],
      ["e2e/shapes-empty.test.ts", "$name from every target is an error that says so"],
    ],
  },
  "empty-completion-02": { covers: [["e2e/shapes-empty.test.ts", "a role, a stop and `[DONE]`"]] },
  "empty-completion-04": {
    covers: [["e2e/shapes-empty.test.ts", "reasoning that used up the budget"]],
  },
  "empty-completion-05": {
    covers: [["e2e/shapes-empty.test.ts", "silence after a tool result"]],
    left: MESSAGES,
  },
  "empty-completion-07": {
    covers: [
      ["e2e/shapes-empty.test.ts", "usage and `[DONE]`"],
      ["e2e/overflow.test.ts", "tokens of prompt for a window of 8192 is an overflow"],
    ],
  },
  "finish-reason-01": {
    covers: [["e2e/edits-calls.test.ts", "a tool call cut by the token limit keeps `length`"]],
    left: MESSAGES,
  },
  "finish-reason-03": {
    covers: [
      ["e2e/edits-calls.test.ts", "a last chunk with text, finish reason and usage at once"],
    ],
    left: "Usage is not told a second time in a chunk of its own: the frame passes as it is.",
  },
  "finish-reason-04": {
    covers: [
      ["e2e/edits-rescue.test.ts", "a failed choice, whole"],
      ["e2e/shapes-empty.test.ts", "a window that was full before any text is a prompt too long"],
      ["e2e/edits-calls.test.ts", "a window that was full after some text reads `length`"],
      ["e2e/edits-calls.test.ts", "an empty finish reason on every chunk ends nothing"],
    ],
    left: "A whole answer keeps a vendor's own word: its bytes are not edited.",
  },
  "finish-reason-06": {
    covers: [["e2e/edits.test.ts", "(f) `[DONE]` without any finish reason after content"]],
  },
  "tool-calls-01": {
    covers: [
      [
        "e2e/edits-calls.test.ts",
        "deltas without index, whose continuation has an empty id and type",
      ],
    ],
  },
  "tool-calls-03": {
    covers: [
      ["e2e/edits-calls.test.ts", "parallel calls with neither id nor an index of their own"],
    ],
  },
  "tool-calls-04": {
    covers: [["e2e/edits-calls.test.ts", "a call without parameters passes as it is"]],
    left: "Empty arguments are not rewritten to `{}`, neither in answers nor in the history: both are passed on byte for byte.",
  },
  "tool-calls-06": { covers: [], left: MESSAGES },
  "tool-calls-07": { covers: [], left: MESSAGES },
  "tool-calls-09": {
    covers: [],
    left: `${MESSAGES}; within one dialect \`tools: []\` passes as it is.`,
  },
  "http-proxying-02": {
    covers: [
      ["unit/upstream/headers.test.ts", "a client header named in Connection stays here"],
      ["e2e/edits-rescue.test.ts", "headers of a target that failed do not reach the client"],
    ],
  },
  "http-proxying-03": {
    covers: [
      ["e2e/fidelity-large.test.ts", "a request of $mib MiB reaches the upstream whole"],
      ["e2e/fidelity-large.test.ts", "a request above the limit is a 413 that names the limit"],
    ],
    left: MESSAGES,
  },
  "http-proxying-05": {
    covers: [
      ["e2e/shapes.test.ts", "a stream $name, where JSON was asked for, becomes one answer"],
    ],
  },
  "http-proxying-06": {
    covers: [
      ["e2e/shapes.test.ts", "a JSON answer $name, where a stream was asked for, becomes one"],
      ["e2e/shapes.test.ts", "`null`"],
    ],
  },
  "http-proxying-08": {
    covers: [["e2e/cors.test.ts", "a preflight for `$asked` needs no key and allows `$allowed`"]],
  },
  "http-proxying-09": {
    covers: [
      ["e2e/edits-rescue.test.ts", "headers of a target that failed do not reach the client"],
    ],
  },
  "embeddings-01": { covers: [["e2e/embeddings.test.ts", "floats, where base64 was asked for"]] },
  "embeddings-03": {
    covers: [
      [
        "e2e/embeddings.test.ts",
        "`dimensions` that the upstream does not honour is a 400 that names it",
      ],
      ["e2e/embeddings.test.ts", "rows come in the order of their index"],
      ["e2e/embeddings.test.ts", "fewer rows than inputs"],
    ],
  },
};

test.each(Object.entries(REPORTS).map(([id, report]) => ({ id, report })))(
  "$id is held off by tests that exist, or says why not",
  async ({ report }) => {
    expect(await missingCovers(report)).toEqual([]);
    expect(report.covers.length > 0 || report.left !== undefined).toBe(true);
  },
);
