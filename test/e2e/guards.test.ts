import { afterAll, describe, expect, test } from "bun:test";

import { rawCall, startApi } from "../support/api-server.ts";

const api = await startApi({
  toml: [
    "[server]",
    'allowed_hosts = ["router.lan", "nas", "fd00::5", "[fd00::6]"]',
    'cors_origins = ["https://chat.example.org"]',
  ].join("\n"),
});
afterAll(() => api[Symbol.asyncDispose]());

const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const codeOf = (answer: string) => /"code":"([a-z_]+)"/.exec(answer)?.[1] ?? null;

describe("Host", () => {
  test.each([
    { host: "localhost", status: 200 },
    { host: "LOCALHOST:8484", status: 200 },
    { host: "127.0.0.1", status: 200 },
    { host: "127.0.0.1:9000", status: 200 },
    { host: "127.8.9.255:1", status: 200 },
    { host: "[::1]", status: 200 },
    { host: "[::1]:8484", status: 200 },
    { host: "router.lan", status: 200 },
    { host: "Router.LAN:8484", status: 200 },
    { host: "nas", status: 200 },
    { host: "[fd00::5]:8484", status: 200 },
    { host: "[FD00::6]", status: 200 },
    { host: "evil.test", status: 403 },
    { host: "evil.test:8484", status: 403 },
    { host: "localhost.evil.test", status: 403 },
    { host: "127.evil.test", status: 403 },
    { host: "127.0.0.1.evil.test", status: 403 },
    { host: "127.0.0.256", status: 403 },
    { host: "127.1", status: 403 },
    { host: "127.0.0.01", status: 403 },
    { host: "0x7f000001", status: 403 },
    { host: "128.0.0.1", status: 403 },
    { host: "0.0.0.0", status: 403 },
    { host: "localhost.", status: 403 },
    { host: "xlocalhost", status: 403 },
    { host: "x.nas", status: 403 },
    { host: "evil@localhost", status: 403 },
    { host: "localhost/", status: 403 },
    { host: "localhost, evil.test", status: 403 },
    { host: "localhost\r\nHost: evil.test", status: 403 },
    { host: "localhost\r\nHost: localhost", status: 403 },
    { host: "localhost:99999", status: 403 },
    { host: "localhost:", status: 403 },
    { host: "", status: 403 },
  ])("`$host` answers $status", async ({ host, status }) => {
    const answer = await rawCall(api.port, `GET /admin/v1/keys?limit=1 HTTP/1.1\r\nHost: ${host}`);

    expect([statusOf(answer), codeOf(answer)]).toEqual([
      status,
      status === 200 ? null : "host_not_allowed",
    ]);
  });

  test("a request without Host is refused", async () => {
    expect(codeOf(await rawCall(api.port, "GET /v1/models HTTP/1.0"))).toBe("host_not_allowed");
  });

  test("the refusal names the host, cut and printable, and the setting that would allow it", async () => {
    const answer = await rawCall(api.port, `GET / HTTP/1.1\r\nHost: ${"e".repeat(300)}`);

    expect(answer).toContain(`Host \`${"e".repeat(100)}…\` is not ours.`);
    expect(answer).toContain("server.allowed_hosts");
  });
});

const own = () => `http://127.0.0.1:${api.port}`;

describe("Origin", () => {
  interface OriginCase {
    readonly origin: string | (() => string);
    readonly status: number;
    readonly host?: string;
  }

  test.each<OriginCase>([
    { origin: own, status: 200 },
    { origin: () => own().replace("http:", "https:"), status: 200 },
    { origin: "https://chat.example.org", status: 200 },
    { origin: "http://router.lan", host: "router.lan", status: 200 },
    { origin: "https://router.lan", host: "router.lan:443", status: 200 },
    { origin: "http://evil.test", status: 403 },
    { origin: "null", status: 403 },
    { origin: "", status: 403 },
    { origin: "http://localhost:3000", status: 403 },
    { origin: "http://localhost.evil.test:3000", status: 403 },
    { origin: () => own().replace("127.0.0.1", "localhost"), status: 403 },
    { origin: () => `${own()}1`, status: 403 },
    { origin: () => `${own()}/`, status: 403 },
    { origin: () => `${own()}@evil.test`, status: 403 },
    { origin: () => `${own()}, http://evil.test`, status: 403 },
    { origin: "http://chat.example.org", status: 403 },
    { origin: "https://chat.example.org:8443", status: 403 },
    { origin: "https://chat.example.org.evil.test", status: 403 },
    { origin: "https://xchat.example.org", status: 403 },
    { origin: "chrome-extension://abcdef", status: 403 },
    { origin: "http://router.lan:81", host: "router.lan", status: 403 },
  ])("`$origin` on a write answers $status", async ({ origin, host, status }) => {
    const sent = typeof origin === "string" ? origin : origin();
    const address = host ?? `127.0.0.1:${api.port}`;
    const answer = await rawCall(
      api.port,
      `POST /admin/v1/store/prune HTTP/1.1\r\nHost: ${address}\r\nOrigin: ${sent}\r\ncontent-length: 0`,
    );

    expect([statusOf(answer), codeOf(answer)]).toEqual([
      status,
      status === 200 ? null : "origin_not_allowed",
    ]);
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "POST"])(
    "a foreign one may not %s",
    async (method) => {
      const answer = await api.call("/admin/v1/config/log.level", {
        method,
        headers: { origin: "http://evil.test" },
      });
      expect(answer.status).toBe(403);
    },
  );

  test("a foreign one may GET, but gets no leave to read", async () => {
    const answer = await api.call("/v1/models", { headers: { origin: "http://evil.test" } });

    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });
});
