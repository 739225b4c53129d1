const FENCE = "```";
/** An inline span closes on its line and within so many characters, or is none. */
const MAX_INLINE = 512;

/**
 * Passes on a text in pieces without its Markdown code: fenced blocks, an unclosed last one included,
 * and spans within a line. Each leaves one space, so that nothing new touches.
 */
export function createCodeFilter(emit: (piece: string) => void) {
  let isFenced = false;
  let held = "";

  /** Drops code up to the closing fence; what may be the start of one is held. */
  function skipFence(text: string): string {
    const close = text.indexOf(FENCE);
    if (close === -1) {
      held = /`{1,2}$/.exec(text)?.[0] ?? "";
      return "";
    }
    isFenced = false;
    return text.slice(close + FENCE.length);
  }

  /** Emits up to the next code; returns what follows the mark that opened or closed it. */
  function readPlain(text: string, isLast: boolean): string {
    const open = text.indexOf("`");
    if (open !== 0) emit(open === -1 ? text : text.slice(0, open));
    return open === -1 ? "" : readCode(text.slice(open), isLast);
  }

  /** `text` begins with the marks of a span or a fence. */
  function readCode(text: string, isLast: boolean): string {
    const ticks = /^`+/.exec(text)?.[0] ?? "";
    const isRunOver = isLast || ticks.length < text.length || ticks.length >= MAX_INLINE;
    if (ticks.length >= FENCE.length && isRunOver) {
      isFenced = true;
      emit(" ");
      return text.slice(ticks.length);
    }
    const end = isRunOver ? spanEnd(text, ticks) : null;
    if (end === null && !isLast) {
      held = text;
      return "";
    }
    emit(end ? " " : ticks);
    return text.slice(end || ticks.length);
  }

  function read(text: string, isLast: boolean): void {
    let rest = text;
    while (rest !== "") rest = isFenced ? skipFence(rest) : readPlain(rest, isLast);
  }

  return {
    push(text: string): void {
      const rest = held + text;
      held = "";
      read(rest, false);
    },
    end(): void {
      const rest = held;
      held = "";
      read(rest, true);
    },
  };
}

/** Past the span that `ticks` open; 0 if it does not close in time, null if that is not known yet. */
function spanEnd(text: string, ticks: string): number | null {
  const near = text.slice(0, MAX_INLINE);
  const close = near.indexOf(ticks, ticks.length);
  const lineEnd = near.indexOf("\n", ticks.length);
  if (lineEnd !== -1 && (close === -1 || lineEnd < close)) return 0;
  if (close !== -1) return close + ticks.length;
  return text.length < MAX_INLINE ? null : 0;
}
