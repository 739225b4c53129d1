import type { FailureKind } from "./failure.ts";

/** How a call can fail without an HTTP answer. */
export type TransportFault =
  | "timeout"
  | "reset"
  | "dns"
  | "tls"
  | "refused"
  | "abort"
  /** Something came that is not HTTP. */
  | "bad_answer"
  | "undecodable_encoding"
  /** This machine ran out of something. */
  | "local"
  | "unknown";

interface FaultFacts {
  readonly fault: TransportFault;
  readonly kind: FailureKind;
  readonly reason: string;
  readonly codes: readonly string[];
  /** For codes of a family and for texts without a code. */
  readonly pattern: RegExp;
}

/** Bun's, Node's and undici's names for the same faults. Earlier entries win. */
const FAULTS: readonly FaultFacts[] = [
  {
    fault: "abort",
    kind: "cancelled",
    reason: "the call was called off on our side",
    codes: ["AbortError", "ABORT_ERR"],
    pattern: /operation was aborted/i,
  },
  {
    fault: "local",
    kind: "unknown",
    reason: "this machine ran out of files or ports; the upstream is not to blame",
    codes: ["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS"],
    pattern: /too many open files/i,
  },
  {
    fault: "timeout",
    kind: "timeout",
    reason: "no answer in time",
    codes: ["TimeoutError", "ETIMEDOUT", "ESOCKETTIMEDOUT", "ConnectionTimeout", "Timeout"],
    pattern: /^UND_ERR_\w+_TIMEOUT$|timed? ?out/i,
  },
  {
    fault: "undecodable_encoding",
    kind: "bad_upstream",
    reason: "the answer's compression cannot be undone",
    codes: ["ZlibError", "BrotliDecompressionError", "ZstdDecompressionError"],
    pattern: /decompress/i,
  },
  {
    fault: "bad_answer",
    kind: "bad_upstream",
    reason: "the upstream does not speak HTTP as it should",
    codes: ["Malformed_HTTP_Response", "InvalidHTTPResponse", "ResponseHeadersTooLarge"],
    pattern: /^HPE_\w+$|malformed[ _]http/i,
  },
  {
    fault: "dns",
    kind: "network",
    reason: "the upstream's name does not resolve",
    codes: ["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "ENODATA", "ESERVFAIL"],
    pattern: /^(?:EAI|DNS)_\w+$|getaddrinfo|name resolution/i,
  },
  {
    fault: "tls",
    kind: "network",
    reason: "no trusted TLS connection",
    codes: ["EPROTO", "CERT_HAS_EXPIRED", "HOSTNAME_MISMATCH", "INVALID_CA"],
    pattern:
      /^(?:ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+$|certificate|\b(?:TLS|SSL)\b/i,
  },
  {
    fault: "refused",
    kind: "network",
    reason: "no connection to the upstream",
    codes: [
      "ECONNREFUSED",
      "ConnectionRefused",
      "FailedToOpenSocket",
      "ERR_PROXY_TUNNEL",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "EHOSTDOWN",
      "ENETDOWN",
    ],
    pattern: /unable to connect|connection (?:was )?refused|fetch failed/i,
  },
  {
    fault: "reset",
    kind: "network",
    reason: "the upstream cut the connection",
    codes: ["ECONNRESET", "ConnectionReset", "ConnectionClosed", "EPIPE", "ECONNABORTED"],
    pattern:
      /^UND_ERR_SOCKET$|socket (?:hang up|connection was closed)|connection (?:was )?(?:reset|closed)|broken pipe|network error/i,
  },
];

/** The fault that an exception shows, its causes included; the text counts where no code is known. */
export function readTransportFault(thrown: unknown): {
  fault: TransportFault;
  code: string | null;
} {
  const chain = causesOf(thrown);
  for (const { fault, codes, pattern } of FAULTS) {
    const isCode = (word: string) =>
      codes.includes(word) || (/^[A-Z]+_\w+$/.test(word) && pattern.test(word));
    const code = chain.flatMap(({ words }) => words).find(isCode);
    if (code !== undefined) return { fault, code };
  }
  const texts = chain.map(({ text }) => text);
  const told = FAULTS.find(({ pattern }) => texts.some((text) => pattern.test(text)));
  return { fault: told?.fault ?? "unknown", code: null };
}

const UNNAMED = {
  kind: "unknown",
  reason: "the call failed in a way we have no name for",
} as const;

export function transportFacts(fault: TransportFault): Pick<FaultFacts, "kind" | "reason"> {
  return FAULTS.find((facts) => facts.fault === fault) ?? UNNAMED;
}

interface Cause {
  /** Names and codes, most telling first; capitalised words of the text may be codes too. */
  readonly words: readonly string[];
  readonly text: string;
}

const MAX_CAUSES = 4;
const MAX_TEXT = 2000;

function causesOf(thrown: unknown): Cause[] {
  const chain: Cause[] = [];
  let current = thrown;
  while (chain.length < MAX_CAUSES && current !== undefined && current !== null) {
    // An exception's members are inherited or not enumerable, so they are read by name.
    const read = (name: string): unknown =>
      typeof current === "object" && current !== null ? Reflect.get(current, name) : undefined;
    const message = typeof current === "string" ? current : read("message");
    const text = typeof message === "string" ? message.slice(0, MAX_TEXT) : "";
    const named = [read("code"), read("name")].filter((word) => typeof word === "string");
    chain.push({ words: [...named, ...(text.match(/\b[A-Z]\w{3,}\b/g) ?? [])], text });
    current = read("cause");
  }
  return chain;
}
