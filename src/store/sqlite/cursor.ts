/** Where a page of decisions ended: rows are in descending order of `at`, then `id`. */
export interface DecisionPosition {
  readonly at: number;
  readonly id: string;
}

/** Opaque to callers, so that the order may change. */
export function formatCursor({ at, id }: DecisionPosition): string {
  return Buffer.from(`${at}:${id}`).toString("base64url");
}

/** Undefined for text that no page gave out. */
export function parseCursor(cursor: string): DecisionPosition | undefined {
  const [, at, id] = /^(-?\d{1,16}):(.+)$/s.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}
