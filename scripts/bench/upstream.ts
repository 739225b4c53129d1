/** An upstream that answers at once, for benchmarks of the binary. */

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const CHUNKS = [
  chunk({ role: "assistant", content: "" }),
  ...Array.from({ length: 50 }, (_, index) => chunk({ content: `word${index} ` })),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
].map((text) => new TextEncoder().encode(text));

/** Prose, since one word over and over is what a broken model says. */
const SENTENCES = Array.from(
  { length: 20 },
  (_, n) => `On day ${n} the sea was calm, and we sailed on. `,
);

const ANSWER = JSON.stringify({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: SENTENCES.join("") },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 },
});

async function answer(request: Request): Promise<Response> {
  if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "m" }] });
  const { stream }: { stream?: boolean } = JSON.parse(await request.text());
  if (stream !== true)
    return new Response(ANSWER, { headers: { "content-type": "application/json" } });
  let next = 0;
  const body = new ReadableStream({
    pull(controller) {
      const bytes = CHUNKS[next++];
      if (bytes) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  fetch: answer,
});
console.log(server.url.origin);
