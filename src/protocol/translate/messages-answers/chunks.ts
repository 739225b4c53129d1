import { isFilledText, type JsonObject } from "../../openai/fields.ts";

/** What all chunks of one stream share. */
export interface ChunkHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** The chunks of one answer: the role comes first, once, whatever comes next. */
export function createChunks({ id, model, created }: ChunkHead) {
  let head = { id, object: "chat.completion.chunk", created, model };
  let hasBegun = false;
  let hasSpoken = false;

  const chunk = (delta: JsonObject, ending: JsonObject = { finish_reason: null }): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, ...ending }],
  });

  /** An upstream's own id and model beat ours. */
  function begin(own: JsonObject = {}): JsonObject[] {
    if (hasBegun) return [];
    hasBegun = true;
    head = {
      ...head,
      ...(isFilledText(own["id"]) && { id: own["id"] }),
      ...(isFilledText(own["model"]) && { model: own["model"] }),
    };
    return [chunk({ role: "assistant", content: "" })];
  }

  return {
    begin,
    hasBegun: () => hasBegun,
    /** Some delta said something. */
    hasSpoken: () => hasSpoken,

    saying(deltas: readonly JsonObject[]): JsonObject[] {
      if (deltas.length === 0) return [];
      hasSpoken = true;
      return begin().concat(deltas.map((delta) => chunk(delta)));
    },

    ending: (reason: JsonObject): JsonObject[] => begin().concat(chunk({}, reason)),

    /** A chunk of its own, as clients want it: they read it beside an empty list of choices. */
    counted: (usage: JsonObject | undefined): JsonObject[] =>
      usage ? [{ ...head, choices: [], usage }] : [],
  };
}
