import { expect, test } from "bun:test";

import type { TransportFaultKind } from "../../../src/protocol/transport-fault.ts";
import { transportFault } from "../../../src/upstream/transport-fault.ts";

const withCode = (code: string) => Object.assign(new Error("x"), { code });

test.each<{ code: string; kind: TransportFaultKind }>([
  { code: "ECONNREFUSED", kind: "refused" },
  { code: "ERR_PROXY_TUNNEL", kind: "refused" },
  { code: "ECONNRESET", kind: "reset" },
  { code: "ENOTFOUND", kind: "dns" },
  { code: "DEPTH_ZERO_SELF_SIGNED_CERT", kind: "tls" },
  { code: "UNABLE_TO_GET_ISSUER_CERT", kind: "tls" },
  { code: "EPROTO", kind: "tls" },
  { code: "ZstdDecompressionError", kind: "undecodable_encoding" },
  { code: "EWHATEVER", kind: "unknown" },
])("$code reads as $kind, as the error's own code or its cause's", ({ code, kind }) => {
  const wrapped = new Error("x", { cause: withCode(code) });

  expect([transportFault(withCode(code)), transportFault(wrapped)]).toEqual([
    { kind, code },
    { kind, code },
  ]);
});

test.each<{ what: string; error: unknown; kind: TransportFaultKind }>([
  { what: "an abort", error: new DOMException("x", "AbortError"), kind: "abort" },
  { what: "a timeout", error: new DOMException("x", "TimeoutError"), kind: "timeout" },
  { what: "an error without code", error: new Error("x"), kind: "unknown" },
  { what: "a string", error: "x", kind: "unknown" },
  { what: "null", error: null, kind: "unknown" },
])("$what reads as $kind", ({ error, kind }) => {
  expect(transportFault(error)).toEqual({ kind, code: null });
});
