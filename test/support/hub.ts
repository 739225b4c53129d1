/** A Hugging Face Hub on loopback, as far as sizing asks it. */
export interface FakeHub extends Disposable {
  readonly url: string;
  /** Path and credential of every request, in order. */
  readonly requests: { readonly path: string; readonly authorization: string | null }[];
}

/** Serves what `answers` has for a path with its query; everything else is a 404. */
export function fakeHub(answers: Readonly<Record<string, () => Response>>): FakeHub {
  const requests: { path: string; authorization: string | null }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      requests.push({ path, authorization: request.headers.get("authorization") });
      return answers[path]?.() ?? new Response("not found", { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
