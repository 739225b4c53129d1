const TICK = 0x60;
const LINE_END = 0x0a;
/** Marks that open and close a fenced block; fewer are those of a span. */
const FENCE = "```";
/** An inline span closes on its line and within so many characters, or is none. */
const MAX_INLINE = 512;

/**
 * Passes on a text in pieces without its Markdown code: fenced blocks, an unclosed last one included,
 * and spans within a line. Each leaves one space, so that nothing new touches.
 */
export class CodeFilter {
  readonly #emit: (piece: string) => void;
  #isFenced = false;
  #held = "";

  constructor(emit: (piece: string) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    this.#read(this.#takeHeld() + text, false);
  }

  end(): void {
    this.#read(this.#takeHeld(), true);
  }

  #takeHeld(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #read(text: string, isLast: boolean): void {
    let at = 0;
    while (at < text.length) {
      at = this.#isFenced ? this.#skipFence(text, at) : this.#readPlain(text, at, isLast);
    }
  }

  /** Drops code from `at` to the closing fence; what may be the start of one is held. */
  #skipFence(text: string, at: number): number {
    const close = text.indexOf(FENCE, at);
    if (close === -1) {
      this.#held = text.slice(Math.max(at, ticksBefore(text, text.length)));
      return text.length;
    }
    this.#isFenced = false;
    return close + FENCE.length;
  }

  /** Emits from `at` up to the next code; returns where the mark that opened or closed it ends. */
  #readPlain(text: string, at: number, isLast: boolean): number {
    const open = text.indexOf("`", at);
    if (open === -1) {
      this.#emit(at === 0 ? text : text.slice(at));
      return text.length;
    }
    if (open > at) this.#emit(text.slice(at, open));
    return this.#readCode(text, open, isLast);
  }

  /** At `at` stand the marks of a span or a fence. */
  #readCode(text: string, at: number, isLast: boolean): number {
    const inside = ticksFrom(text, at);
    const ticks = inside - at;
    const isRunOver = isLast || inside < text.length || ticks >= MAX_INLINE;
    if (ticks >= FENCE.length && isRunOver) {
      this.#isFenced = true;
      this.#emit(" ");
      return inside;
    }
    const end = isRunOver ? spanEnd(text, { at, inside }) : null;
    if (end === null && !isLast) {
      this.#held = text.slice(at);
      return text.length;
    }
    this.#emit(end ? " " : text.slice(at, inside));
    return end || inside;
  }
}

/** Where the run of marks that begins at `at` ends. */
function ticksFrom(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) === TICK) end++;
  return end;
}

/** Where the run of marks that ends at `end` begins. */
function ticksBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && text.charCodeAt(start - 1) === TICK) start--;
  return start;
}

interface Marks {
  readonly at: number;
  readonly inside: number;
}

/** Past the span that the marks open; 0 if it does not close in time, null if that is not known yet. */
function spanEnd(text: string, { at, inside }: Marks): number | null {
  const ticks = inside - at;
  const last = Math.min(text.length, at + MAX_INLINE);
  for (let next = inside; next < last; next++) {
    const unit = text.charCodeAt(next);
    if (unit === LINE_END) return 0;
    const end = next + ticks;
    if (unit === TICK && end <= last && ticksFrom(text, next) >= end) return end;
  }
  return last === at + MAX_INLINE ? 0 : null;
}
