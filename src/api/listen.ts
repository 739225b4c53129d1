import type { Config } from "../config/schema.ts";
import type { createApi } from "./create-api.ts";

/** The address cannot be bound; the message says why and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}

/**
 * No shared port, else a second server would steal half of the connections. The size of bodies is
 * our own business, since the server's refusal has no envelope; it reads only what is asked for, so a
 * large body costs nothing.
 */
export const LISTEN_OPTIONS = {
  reusePort: false,
  development: false,
  idleTimeout: 30,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;

/** Binds host and port; returns the URL that reaches it from this machine. Throws `ListenError`. */
export function listen(
  api: ReturnType<typeof createApi>,
  { host, port }: Config["server"],
): string {
  try {
    api.listen({ ...LISTEN_OPTIONS, hostname: host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ListenError(`cannot listen on ${host}:${port} (${code}): ${WAY_OUT[code] ?? CHECK}`);
  }
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const name = reachable.includes(":") ? `[${reachable}]` : reachable;
  return `http://${name}:${api.server?.port ?? port}`;
}

const CHECK = "check `server.host` and `server.port`";

const WAY_OUT: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another program listens there; stop it, or choose another port with --port or `server.port`",
};
