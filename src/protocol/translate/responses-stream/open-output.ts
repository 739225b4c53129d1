import type { JsonObject } from "../../openai/fields.ts";

/** Where an item stands in the output, and its id. */
export interface OutputPlace {
  readonly output_index: number;
  readonly id: string;
}

export type OutputStatus = "in_progress" | "completed" | "incomplete";

/** An item of the output that is not yet done. */
export interface OpenOutput {
  readonly output_index: number;
  /** Emits what ends it, and gives the item as it is then. */
  close(status: OutputStatus): JsonObject;
  /** The item so far, without a word to the client. */
  sofar(status: OutputStatus): JsonObject;
}
