/**
 * The least that a gateway in this runtime can do: `Bun.serve` and `fetch`, nothing read.
 * `bun scripts/bench/rig/bare.ts PORT UPSTREAM`
 */

const [, , port = "0", origin = ""] = process.argv;

async function pass(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const response = await fetch(origin + pathname, {
    method: request.method,
    headers: { "content-type": "application/json", "accept-encoding": "identity" },
    // Bytes, not a stream: a streamed body goes out in chunks, which costs more.
    body: request.method === "GET" ? null : await request.arrayBuffer(),
    signal: request.signal,
    proxy: false,
  });
  return new Response(response.body, {
    status: response.status,
    headers: { "content-type": response.headers.get("content-type") ?? "" },
  });
}

Bun.serve({ port: Number(port), hostname: "127.0.0.1", idleTimeout: 60, fetch: pass });
