import { expect, test } from "bun:test";

import { classifyThrown, classifyTransport } from "../../../src/health/classify.ts";

const withCode = (code: string, message = "failed") =>
  Object.assign(new TypeError(message), { code });
const named = (name: string, code?: unknown) =>
  Object.assign(new Error("x"), { name, ...(code !== undefined && { code }) });

test.each([
  { transport: "timeout", kind: "timeout" },
  { transport: "reset", kind: "network" },
  { transport: "dns", kind: "network" },
  { transport: "tls", kind: "network" },
  { transport: "refused", kind: "network" },
  { transport: "abort", kind: "cancelled" },
  { transport: "bad_answer", kind: "bad_upstream" },
  { transport: "undecodable_encoding", kind: "bad_upstream" },
  { transport: "unknown", kind: "unknown" },
] as const)("the transport fault $transport is $kind", ({ transport, kind }) => {
  expect(classifyTransport({ transport })).toMatchObject({ kind, status: null, message: null });
});

test.each([
  { what: "a refused connection", thrown: withCode("ECONNREFUSED"), kind: "network" },
  { what: "Bun's older name for it", thrown: withCode("ConnectionRefused"), kind: "network" },
  { what: "a socket that did not open", thrown: withCode("FailedToOpenSocket"), kind: "network" },
  { what: "a reset", thrown: withCode("ECONNRESET"), kind: "network" },
  { what: "a closed connection", thrown: named("ConnectionClosed"), kind: "network" },
  { what: "a broken pipe", thrown: withCode("EPIPE"), kind: "network" },
  { what: "a name that does not resolve", thrown: withCode("ENOTFOUND"), kind: "network" },
  {
    what: "a self-signed certificate",
    thrown: withCode("DEPTH_ZERO_SELF_SIGNED_CERT"),
    kind: "network",
  },
  { what: "an expired certificate", thrown: withCode("CERT_HAS_EXPIRED"), kind: "network" },
  { what: "TLS on a plain port", thrown: withCode("EPROTO"), kind: "network" },
  { what: "broken gzip", thrown: withCode("ZlibError"), kind: "bad_upstream" },
  { what: "broken zstd", thrown: withCode("ZstdDecompressionError"), kind: "bad_upstream" },
  { what: "no HTTP", thrown: withCode("Malformed_HTTP_Response"), kind: "bad_upstream" },
  { what: "a timer of ours", thrown: named("TimeoutError", 23), kind: "timeout" },
  { what: "a connect timeout", thrown: withCode("ETIMEDOUT"), kind: "timeout" },
  { what: "undici's timeout", thrown: withCode("UND_ERR_HEADERS_TIMEOUT"), kind: "timeout" },
  { what: "an abort", thrown: named("AbortError", 20), kind: "cancelled" },
  {
    what: "a code only in the cause",
    thrown: new TypeError("fetch failed", { cause: withCode("EAI_AGAIN") }),
    kind: "network",
  },
  {
    what: "the text of a reset",
    thrown: 'Error: The socket connection was closed unexpectedly. (code "ECONNRESET", errno 0)',
    kind: "network",
  },
  {
    what: "the text of a refusal",
    thrown: "Unable to connect. Is the computer able to access the url?",
    kind: "network",
  },
  { what: "the text of a timeout", thrown: "The operation timed out.", kind: "timeout" },
  { what: "a bug of ours", thrown: new RangeError("Invalid array length"), kind: "unknown" },
  { what: "nothing", thrown: null, kind: "unknown" },
])("$what is $kind", ({ thrown, kind }) => {
  expect(classifyThrown(thrown).kind).toBe(kind as ReturnType<typeof classifyThrown>["kind"]);
});

test("the runtime's code is kept, its text is not", () => {
  expect(classifyThrown(withCode("ECONNRESET", "http://host/secret?key=1"))).toEqual({
    kind: "network",
    status: null,
    vendor_code: "ECONNRESET",
    message: null,
    param: null,
    retry_after_ms: null,
    affects_health: "target",
    cooldown_ms: 10_000,
    reason: "the upstream cut the connection (ECONNRESET)",
  });
});

test("a machine out of files is not the upstream's fault", () => {
  expect(classifyThrown(withCode("EMFILE"))).toMatchObject({
    affects_health: "none",
    cooldown_ms: 0,
  });
});

test("a cause that leads back to itself ends", () => {
  const error = new Error("loop");
  error.cause = error;

  expect(classifyThrown(error).kind).toBe("unknown");
});
