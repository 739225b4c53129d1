import type { OwnServer } from "../server/own-server.ts";
import { type DoctorCheck, fail, ok } from "./check.ts";
import { portHolder } from "./port-holder.ts";

/** Whether `host:port` can be bound, or is held by our own server. */
export function checkPort(
  { host, port }: { readonly host: string; readonly port: number },
  own: OwnServer | null,
): DoctorCheck {
  const name = "port";
  const place = `${host}:${port}`;
  if (own !== null && URL.parse(own.url)?.port === String(port)) {
    return ok(name, `${place}: veriroute serves here (pid ${own.pid})`);
  }
  const code = bindError(host, port);
  if (code === null) return ok(name, `${place} is free`);
  if (code === "EADDRINUSE") {
    return fail(
      name,
      `${place} is in use by ${portHolder(port) ?? "another program"}`,
      "stop it, or set `server.port`",
    );
  }
  return fail(name, `${place} cannot be bound: ${code}`, "set `server.host` and `server.port`");
}

function bindError(host: string, port: number): string | null {
  try {
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
