/** How a call can fail below HTTP. */
export type TransportFaultKind =
  | "timeout"
  | "reset"
  | "dns"
  | "tls"
  | "refused"
  /** The host is at an address that is not called. */
  | "forbidden"
  | "abort"
  /** Something came that is not HTTP. */
  | "bad_answer"
  | "undecodable_encoding"
  /** This machine ran out of something. */
  | "local"
  | "unknown";

export interface TransportFault {
  readonly kind: TransportFaultKind;
  /** The runtime's own code, such as `ECONNRESET`; null if it gave none. */
  readonly code: string | null;
}

interface FaultSigns {
  readonly kind: TransportFaultKind;
  readonly codes: readonly string[];
  /** For codes of a family and for texts without a code. */
  readonly pattern: RegExp;
}

/** Bun's, Node's and undici's names for the same faults. Earlier entries win. */
const FAULTS: readonly FaultSigns[] = [
  {
    kind: "abort",
    codes: ["AbortError", "ABORT_ERR"],
    pattern: /operation was aborted/i,
  },
  {
    kind: "local",
    codes: ["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS"],
    pattern: /too many open files/i,
  },
  {
    kind: "timeout",
    codes: [
      "TimeoutError",
      "ETIMEDOUT",
      "ETIMEOUT",
      "ESOCKETTIMEDOUT",
      "ConnectionTimeout",
      "Timeout",
    ],
    pattern: /^UND_ERR_\w+_TIMEOUT$|timed? ?out/i,
  },
  {
    kind: "undecodable_encoding",
    codes: ["ZlibError", "BrotliDecompressionError", "ZstdDecompressionError"],
    pattern: /decompress/i,
  },
  {
    kind: "bad_answer",
    codes: ["Malformed_HTTP_Response", "InvalidHTTPResponse", "ResponseHeadersTooLarge"],
    pattern: /^HPE_\w+$|malformed[ _]http/i,
  },
  {
    kind: "dns",
    codes: ["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "ENODATA", "ESERVFAIL"],
    pattern: /^(?:EAI|DNS)_\w+$|getaddrinfo|name resolution/i,
  },
  {
    kind: "tls",
    codes: ["EPROTO", "CERT_HAS_EXPIRED", "HOSTNAME_MISMATCH", "INVALID_CA"],
    pattern:
      /^(?:ERR_TLS|ERR_SSL|CERT|CRL|ERROR_IN|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+$|certificate|\b(?:TLS|SSL)\b/i,
  },
  {
    kind: "refused",
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
    kind: "reset",
    codes: ["ECONNRESET", "ConnectionReset", "ConnectionClosed", "EPIPE", "ECONNABORTED"],
    pattern:
      /^UND_ERR_SOCKET$|socket (?:hang up|connection was closed)|connection (?:was )?(?:reset|closed)|broken pipe|network error/i,
  },
];

/** Names of exceptions, which say no more than the fault does. */
const CLASSES: ReadonlySet<string> = new Set(["AbortError", "TimeoutError"]);

/** The fault that an exception shows, its causes included; the text counts where no code is known. */
export function readTransportFault(thrown: unknown): TransportFault {
  const chain = causesOf(thrown);
  for (const { kind, codes, pattern } of FAULTS) {
    const isCode = (word: string) =>
      codes.includes(word) || (/^[A-Z]+_\w+$/.test(word) && pattern.test(word));
    const word = chain.flatMap(({ words }) => words).find(isCode);
    if (word !== undefined) return { kind, code: CLASSES.has(word) ? null : word };
  }
  const texts = chain.map(({ text }) => text);
  const told = FAULTS.find(({ pattern }) => texts.some((text) => pattern.test(text)));
  if (told !== undefined) return { kind: told.kind, code: null };
  return { kind: "unknown", code: chain.map(({ code }) => code).find((code) => code) ?? null };
}

interface Cause {
  /** The runtime's own code, known or not. */
  readonly code: string | null;
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
    const code = read("code");
    chain.push({
      code: typeof code === "string" ? code : null,
      words: [...named, ...(text.match(/\b[A-Z]\w{3,}\b/g) ?? [])],
      text,
    });
    current = read("cause");
  }
  return chain;
}
