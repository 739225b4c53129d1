import { expect, test } from "bun:test";

import { array, assert, constantFrom, oneof, property, string } from "fast-check";

import { isAllowedHost } from "../../../src/api/hosts.ts";
import { classifyOrigin } from "../../../src/api/origins.ts";

const piece = oneof(
  constantFrom(
    "localhost",
    "127.0.0.1",
    "[::1]",
    "nas",
    ".",
    ":",
    "@",
    "/",
    "8484",
    ", ",
    "#",
    "?",
  ),
  string({ maxLength: 3 }),
);
const header = array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));

test("whatever passes as a host is one, and is where the URL leads", () => {
  assert(
    property(header, (host) => {
      if (!isAllowedHost(host, ["nas"])) return;

      const url = new URL(`http://${host}/admin/v1/keys`);
      expect(
        ["localhost", "[::1]", "nas"].includes(url.hostname) ||
          /^127(\.\d+){3}$/.test(url.hostname),
      ).toBe(true);
      expect([url.username, url.password, url.pathname]).toEqual(["", "", "/admin/v1/keys"]);
    }),
    { numRuns: 2000 },
  );
});

test("only the router's own address is its own origin", () => {
  assert(
    property(header, (host) => {
      const kind = classifyOrigin(`http://${host}`, "localhost:8484", []);

      expect(kind).toBe(host.toLowerCase() === "localhost:8484" ? "own" : "foreign");
    }),
    { numRuns: 2000 },
  );
});
