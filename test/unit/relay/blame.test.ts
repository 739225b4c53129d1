import { expect, test } from "bun:test";

import {
  failureOfConnect,
  failureOfFault,
  failureOfTimeout,
  oversized,
  unanswered,
} from "../../../src/relay/blame.ts";
import type { LimitName } from "../../../src/relay/watch.ts";
import { UpstreamError } from "../../../src/upstream/transport-fault.ts";

test.each<{ limit: LimitName; reason: string; blamed: boolean }>([
  { limit: "connect_timeout", reason: "no connection", blamed: true },
  { limit: "first_byte_timeout", reason: "no response headers", blamed: true },
  { limit: "first_token_timeout", reason: "no content", blamed: true },
  { limit: "response_timeout", reason: "no complete answer", blamed: true },
  { limit: "idle_timeout", reason: "silence", blamed: true },
  { limit: "deadline", reason: "no answer before the request's deadline", blamed: false },
  {
    limit: "max_stream",
    reason: "the stream outlasted `routing.max_stream`",
    blamed: false,
  },
])("running into $limit names it; the target is blamed: $blamed", ({ limit, reason, blamed }) => {
  expect(failureOfTimeout({ kind: "timeout", limit, after_ms: 1500 })).toMatchObject({
    kind: "timeout",
    reason: `${reason} (${limit}, 1500 ms)`,
    affects_health: blamed ? "target" : "none",
    cooldown_ms: blamed ? 15_000 : 0,
  });
});

test("a host that takes no connection in time ran into `connect_timeout`", () => {
  expect(failureOfConnect({ kind: "timeout", code: null }, 5000)).toMatchObject({
    kind: "failed",
    failure: { kind: "timeout", reason: "no connection (connect_timeout, 5000 ms)" },
  });
});

test("a host that refuses is a matter of the network, under the system's own code", () => {
  expect(failureOfConnect({ kind: "refused", code: "ECONNREFUSED" }, 5000)).toMatchObject({
    kind: "failed",
    failure: { kind: "network", vendor_code: "ECONNREFUSED" },
  });
});

test.each([
  { what: "a connection that simply ended", error: null, kind: "network" },
  {
    what: "a reset",
    error: Object.assign(new Error("x"), { code: "ECONNRESET" }),
    kind: "network",
  },
  {
    what: "an encoding nothing can undo",
    error: new UpstreamError("snappy", { kind: "undecodable_encoding", code: null }),
    kind: "bad_upstream",
  },
  { what: "something unheard of", error: new Error("?"), kind: "unknown" },
])("$what is of kind $kind", ({ error, kind }) => {
  expect(failureOfFault(error).kind).toBe(kind);
});

test("an answer beyond a limit of ours is nobody's fault", () => {
  expect(oversized("max_answer")).toMatchObject({
    failure: { kind: "bad_upstream", affects_health: "none", cooldown_ms: 0 },
  });
});

test("a limit that ran out is a failure, any other stop is none", () => {
  expect([
    unanswered({ kind: "timeout", limit: "deadline", after_ms: 1 }).kind,
    unanswered({ kind: "cancelled" }).kind,
    unanswered({ kind: "router_shutdown" }).kind,
  ]).toEqual(["failed", "stopped", "stopped"]);
});
