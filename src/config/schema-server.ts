import { type Static, Type } from "@sinclair/typebox";

import { closed, duration, durationOrOff, list, secret, size } from "./schema-kinds.ts";

export const Server = Type.Object(
  {
    host: Type.String({
      default: "127.0.0.1",
      minLength: 1,
      description: "Address to bind. Anything but loopback needs a client key and an admin key.",
    }),
    port: Type.Integer({
      default: 8484,
      minimum: 0,
      maximum: 65_535,
      description: "Port to bind; 0 takes a free one.",
    }),
    max_body: size("32MiB", "Largest request body, after decompression. Above it: 413."),
    upload_timeout: duration(
      "30s",
      "Silence after which a client that has not sent all of its body is given up: 408. A body of at most 64 KiB has twice that in all.",
    ),
    max_in_flight: Type.Integer({
      default: 4096,
      minimum: 1,
      maximum: 65_000,
      description: "Client requests open at once. Above it: 503 `router_busy`.",
    }),
    keepalive_after: durationOrOff(
      "15s",
      "Silence after which a stream's headers go out, followed by a comment at the same interval.",
    ),
    drain: duration("8s", "How long open requests may finish after SIGTERM.", { zero: true }),
    allowed_hosts: list(
      "Host names besides loopback that requests may be addressed to.",
      "router.lan",
    ),
    cors_origins: list("Exact origins that browsers may call from.", "https://chat.example.org"),
    client_key: secret("Key that clients must present.", "${ROUTER_CLIENT_KEY}"),
    admin_key: secret(
      "Key for the admin API, metrics and docs page.",
      "file:/run/secrets/router_admin_key",
    ),
  },
  { ...closed, description: "The listener, and who may talk to it." },
);
export type Server = Static<typeof Server>;
