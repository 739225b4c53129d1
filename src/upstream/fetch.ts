/**
 * The seam every upstream call goes through. Plain `(url, init)`: inside `new Request()` Bun ignores
 * `timeout`, `proxy` and `redirect`. `signal` is required, else a client that leaves keeps the
 * upstream generating for nobody.
 */
export type Fetch = (
  url: string,
  init: BunFetchRequestInit & { readonly signal: AbortSignal },
) => Promise<Response>;
