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
  const block = body["veriroute"];
  const candidates: unknown[] = [
    typeof block === "object" && block !== null && "session" in block ? block.session : null,
    headers.get("x-session-id"),
    headers.get("x-session-affinity"),
    headers.get("x-claude-code-session-id"),
    body["session_id"],
    body["prompt_cache_key"],
    body["user"],
    userOf(body["metadata"]),
  ];
  const id = candidates.find(isSessionId);
  return id === undefined ? null : hash(id.trim());
}

/** Where Messages requests name whom they are for. */
function userOf(metadata: unknown): unknown {
  const isNamed = typeof metadata === "object" && metadata !== null && "user_id" in metadata;
  return isNamed ? metadata.user_id : null;
}

function isSessionId(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
