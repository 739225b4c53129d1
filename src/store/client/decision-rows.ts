/** JSON, or what makes it; null if that failed. */
type DecisionText = string | (() => string) | null;

export interface DecisionRow {
  readonly kind: "decision";
  readonly id: string;
  json: DecisionText;
}

/** Decisions whose JSON is not made yet, at most: they are larger than it, and do not count as characters. */
const MAX_UNMADE = 256;

/** The decisions of a queue: the newest version of each, and how much text they are. */
export interface DecisionRows {
  /** The row to be queued; undefined if one of this id waits already, which now has this text. */
  put(id: string, json: string | (() => string)): DecisionRow | undefined;
  /** To be told of each row that leaves the queue. */
  remove(row: DecisionRow): void;
  /** Makes the JSON that was put off so far. */
  make(): void;
  characters(): number;
}

export function createDecisionRows(): DecisionRows {
  const waiting = new Map<string, DecisionRow>();
  let unmade: DecisionRow[] = [];
  let characters = 0;

  const setText = (row: DecisionRow, json: DecisionText) => {
    characters += lengthOf(json) - lengthOf(row.json);
    row.json = json;
  };
  const make = () => {
    const rows = unmade;
    unmade = [];
    for (const row of rows) {
      const isStillWanted = typeof row.json === "function" && waiting.get(row.id) === row;
      if (isStillWanted) setText(row, textOf(row.json));
    }
  };

  return {
    put(id, json) {
      const before = waiting.get(id);
      const row = before ?? { kind: "decision", id, json: null };
      setText(row, json);
      if (before === undefined) waiting.set(id, row);
      if (typeof json === "function") unmade.push(row);
      if (unmade.length === MAX_UNMADE) make();
      return before === undefined ? row : undefined;
    },
    remove(row) {
      waiting.delete(row.id);
      characters -= lengthOf(row.json);
    },
    make,
    characters: () => characters,
  };
}

const lengthOf = (json: DecisionText): number => (typeof json === "string" ? json.length : 0);

function textOf(json: DecisionText): string | null {
  try {
    return typeof json === "function" ? json() : json;
  } catch {
    return null;
  }
}
