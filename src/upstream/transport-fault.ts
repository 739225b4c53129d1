/** How a call can fail below HTTP. */
export type TransportFaultKind =
  | "timeout"
  | "reset"
  | "dns"
  | "tls"
  | "refused"
  | "abort"
  /** Something came that is not HTTP, or not in the encoding it claims. */
  | "bad_answer"
  | "undecodable_encoding"
  | "unknown";

export interface TransportFault {
  readonly kind: TransportFaultKind;
  /** The runtime's own code, such as `ECONNRESET`; null if it gave none. */
  readonly code: string | null;
}

/** An upstream call without a usable answer. The message names the instance, never a body or URL. */
export class UpstreamError extends Error {
  readonly fault: TransportFault;

  constructor(message: string, fault: TransportFault, cause?: unknown) {
    super(message, { cause });
    this.name = "UpstreamError";
    this.fault = fault;
  }
}

const CODES: Readonly<Record<string, TransportFaultKind>> = {
  ECONNREFUSED: "refused",
  ConnectionRefused: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  EADDRNOTAVAIL: "refused",
  ERR_PROXY_TUNNEL: "refused",
  ECONNRESET: "reset",
  ECONNABORTED: "reset",
  EPIPE: "reset",
  ConnectionClosed: "reset",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ESERVFAIL: "dns",
  ETIMEDOUT: "timeout",
  ETIMEOUT: "timeout",
  EPROTO: "tls",
  Malformed_HTTP_Response: "bad_answer",
  InvalidHTTPResponse: "bad_answer",
  ResponseHeadersTooLarge: "bad_answer",
  ZlibError: "bad_answer",
  BrotliDecompressionError: "bad_answer",
  ZstdDecompressionError: "bad_answer",
};

/** Certificate failures come under OpenSSL's names, of which there are dozens. */
const TLS_CODE = /CERT|SSL|TLS|SIGNATURE|ISSUER|CRL|UNABLE_TO_/;

/** Reads what `fetch`, a body stream or a socket threw. */
export function transportFault(error: unknown): TransportFault {
  if (error instanceof UpstreamError) return error.fault;
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined) ?? null;
  if (error instanceof Error && error.name === "AbortError") return { kind: "abort", code: null };
  if (error instanceof Error && error.name === "TimeoutError") {
    return { kind: "timeout", code: null };
  }
  if (code === null) return { kind: "unknown", code };
  return { kind: CODES[code] ?? (TLS_CODE.test(code) ? "tls" : "unknown"), code };
}

/** `code` where it is a name; DOMExceptions carry a number there. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
