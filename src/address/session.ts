/** Where a client may name its conversation, in the order that wins. */
export interface SessionSources {
  readonly headers: { get(name: string): string | null };
  /** The parsed request body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Hash of the session a request belongs to, null if it names none. The id itself may be a person's
 * and goes no further: `hash` is all that is kept.
 */
export function sessionHash(
  { headers, body }: SessionSources,
  hash: (text: string) => string,
): string | null {
  const id =
    sessionId(sessionOf(body["veriroute"])) ??
    sessionId(headers.get("x-session-id")) ??
    sessionId(headers.get("x-session-affinity")) ??
    sessionId(headers.get("x-claude-code-session-id")) ??
    sessionId(body["session_id"]) ??
    sessionId(body["prompt_cache_key"]) ??
    sessionId(body["user"]) ??
    sessionId(userOf(body["metadata"]));
  return id === null ? null : hash(id);
}

function sessionOf(block: unknown): unknown {
  return typeof block === "object" && block !== null && "session" in block ? block.session : null;
}

/** Where Messages requests name whom they are for. */
function userOf(metadata: unknown): unknown {
  const isNamed = typeof metadata === "object" && metadata !== null && "user_id" in metadata;
  return isNamed ? metadata.user_id : null;
}

/** The id without blanks around it; null if it is none. */
function sessionId(value: unknown): string | null {
  return (typeof value === "string" && value.trim()) || null;
}
