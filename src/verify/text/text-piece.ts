/** A piece of a longer text. */
export interface TextPiece {
  readonly text: string;
  /** Units before it. */
  readonly offset: number;
  /** The unit before it; 0 at the start. */
  readonly last: number;
}

/** The unit before the one at `at`. */
export function previousUnit({ text, last }: TextPiece, at: number): number {
  return at === 0 ? last : text.charCodeAt(at - 1);
}
