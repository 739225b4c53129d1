/** A notice as it arrived at a receiver. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
}

export interface ScriptedReceiver extends Disposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly received: readonly Received[];
}

/** Someone who is told of things, and answers as the script says: 200 unless it says otherwise. */
export function scriptedReceiver(
  script: (index: number) => Response | Promise<Response> = () => new Response("ok"),
): ScriptedReceiver {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const index = received.push({ path: pathname + search, headers: request.headers, text }) - 1;
      return script(index);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
