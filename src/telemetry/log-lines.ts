/** Characters kept while the reader of a pipe is slow; lines beyond it are lost, never waited for. */
const MAX_PENDING = 8 * 1024 ** 2;
/** Lines that are not made yet, at most: what they are made of is larger than they are. */
const MAX_UNMADE = 256;

/** Lines on their way out, in the order they came, bounded. */
export interface LogLines {
  add(line: string): void;
  /** Makes the line when it is taken, or earlier. */
  addLater(make: () => string): void;
  /** Removes all, as one text; they count as pending until `taken` is told. */
  take(): string;
  /** What was taken is written or lost. */
  taken(): void;
  /** Nothing is kept from now on. */
  stop(): void;
}

export function createLogLines(): LogLines {
  let lines: string[] = [];
  let unmade: (() => string)[] = [];
  let pending = 0;
  let stopped = false;

  const append = (line: string) => {
    if (stopped || pending + line.length > MAX_PENDING) return;
    pending += line.length;
    lines.push(line);
  };
  const makeLines = () => {
    const makers = unmade;
    unmade = [];
    for (const make of makers) append(make());
  };

  return {
    add(line) {
      makeLines();
      append(line);
    },
    addLater(make) {
      if (stopped) return;
      unmade.push(make);
      if (unmade.length === MAX_UNMADE) makeLines();
    },
    take() {
      makeLines();
      const text = lines.join("");
      lines = [];
      return text;
    },
    taken() {
      pending = lines.reduce((sum, line) => sum + line.length, 0);
    },
    stop() {
      stopped = true;
      lines = [];
      unmade = [];
    },
  };
}
