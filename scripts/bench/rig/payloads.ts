/** The bytes that upstream and clients exchange, known to both so that answers can be compared. */

/** Deltas of a stream. */
export const DELTAS = 64;
/** A paced stream sends a delta each time this passes. */
export const PACE_MS = 2;
/** A stream that is not paced sends so many frames at once, as a busy server's socket does. */
export const BURST = 8;

/** What a stream's first delta says; the role alone comes before it. */
export const FIRST_WORDS = "The log begins";

/** A number in each sentence, since one sentence over and over is what a broken model says. */
const sentence = (n: number) => `On day ${n} the sea was calm, and we sailed on. `;

const words = (n: number) => (n === 0 ? FIRST_WORDS : ` day ${n} was calm;`);

function frame(delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

/** Role, deltas, finish, `[DONE]`. */
export const FRAMES: readonly string[] = [
  frame({ role: "assistant", content: "" }),
  ...Array.from({ length: DELTAS }, (_, n) => frame({ content: words(n) })),
  frame({}, "stop"),
  "data: [DONE]\n\n",
];

export const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: Array.from({ length: 20 }, (_, n) => sentence(n)).join(""),
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 },
});

export type Kind = "whole" | "burst" | "paced";

/** A chat request of about `bytes`, for an answer of the given kind. */
export function requestBody(kind: Kind, bytes: number): string {
  const around = 110;
  let content = "";
  for (let n = 0; content.length < bytes - around; n++) content += sentence(n);
  content = content.slice(0, Math.max(1, bytes - around));
  return JSON.stringify({
    model: kind === "paced" ? "bench:paced" : "bench:m",
    stream: kind !== "whole",
    messages: [{ role: "user", content }],
  });
}

export const PATH = "/v1/chat/completions";

/** The bytes of an HTTP request, keep-alive. */
export function httpRequest(body: string, headers: Readonly<Record<string, string>>): Buffer {
  const all = { host: "127.0.0.1", "content-type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `POST ${PATH} HTTP/1.1\r\n${lines.join("")}content-length: ${length}\r\n\r\n${body}`,
  );
}
