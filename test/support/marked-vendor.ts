import {
  chunk,
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  type Wire,
} from "./scripted-upstream.ts";

/** Words that stand for what people and models say; long enough never to appear by chance. */
export const MARKS = {
  prompt: "promptMarkerQ7zK4wXp93Lm",
  answer: "answerMarkerT2bV8cRn61Js",
  vendorError: "vendorMarkerH5dY0fGk47Pe",
  secret: "secretMarkerN9xC3aWu85Bo",
} as const;

const echo = { message: `cannot do ${MARKS.prompt}`, type: "x", code: "nope" };
const own = { message: `no room for ${MARKS.vendorError}`, type: "x", code: "nope" };
/** UTF-8 read as Latin-1, with a mark in each sentence. */
const MANGLED = Buffer.from(
  `Café — “${MARKS.answer}” … naïve, über, ça. `.repeat(20),
  "utf8",
).toString("latin1");
const begun = chunk({ role: "assistant", content: MARKS.answer });

/** A call whose every part is a mark, its arguments no JSON. */
const BROKEN_CALL = {
  index: 0,
  finish_reason: "tool_calls",
  message: {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id: MARKS.answer,
        type: "function",
        function: { name: MARKS.answer, arguments: `{${MARKS.answer}` },
      },
    ],
  },
};

/** Ways to answer that put marks where a careless router would keep them, by model. */
export const MARKED: Readonly<Record<string, (wire: Wire) => void>> = {
  answer: (wire) => wire.json(completion(MARKS.answer)),
  stream: (wire) => end(wire, `${begun}${chunk({}, "stop")}data: [DONE]\n\n`),
  // Texts that the verifier finds fault with: what it found must not quote them.
  mangled: (wire) => wire.json(completion(`${MARKS.answer} ${MANGLED}`)),
  "mangled-stream": (wire) =>
    end(wire, `${begun}${chunk({ content: MANGLED })}${chunk({}, "stop")}data: [DONE]\n\n`),
  empty: (wire) => wire.json(completion("")),
  looping: (wire) => wire.json(completion(`${MARKS.answer} `.repeat(200))),
  template: (wire) => wire.json(completion(`<|im_start|>assistant ${MARKS.answer} <|im_end|>`)),
  "page-in-text": (wire) =>
    wire.json(completion(`<!DOCTYPE html><title>502 ${MARKS.vendorError}</title>`)),
  "error-in-text": (wire) => wire.json(completion(JSON.stringify({ error: own }))),
  "broken-call": (wire) => wire.json(completion("", { choices: [BROKEN_CALL] })),
  "error-in-stream": (wire) => end(wire, `${begun}data: ${JSON.stringify({ error: own })}\n\n`),
  "cut-stream": (wire) => {
    wire.sse();
    wire.write(begun);
    wire.reset();
  },
  "garbled-stream": (wire) => end(wire, `${begun}data: {"x": ${MARKS.answer}\n\n`),
  "echo-400": (wire) => wire.json({ error: echo }, 400),
  "own-400": (wire) => wire.json({ error: own }, 400),
  "own-code": (wire) => wire.json({ error: { ...own, code: MARKS.vendorError } }, 400),
  "own-429": (wire) => wire.json({ error: own }, 429, { "retry-after": "1" }),
  "own-500": (wire) => wire.json({ error: own }, 500),
  "error-200": (wire) => wire.json({ error: own }),
  page: (wire) => wire.json(`<html>${MARKS.vendorError}`, 502, { "content-type": "text/html" }),
  garbled: (wire) => wire.json(`{"choices": [${MARKS.answer}`),
  redirect: (wire) => wire.json("{}", 302, { location: `https://${MARKS.vendorError}.example/` }),
  header: (wire) => wire.json(completion("fine"), 200, { "x-note": MARKS.vendorError }),
};

function end(wire: Wire, text: string): void {
  wire.sse();
  wire.write(text);
  wire.end();
}

/** An upstream that answers each model of `MARKED` its way. */
export function markedVendor(): ScriptedUpstream {
  return scriptedUpstream((wire, { method, body }) => {
    if (method === "GET") return wire.json({ object: "list", data: [] });
    const { model } = JSON.parse(new TextDecoder().decode(body));
    return MARKED[model]?.(wire);
  });
}
