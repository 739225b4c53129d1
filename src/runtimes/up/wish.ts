import type { Quant } from "../../sizing/quant.ts";
import type { Sku } from "../lease.ts";

/** What a person asks of a runtime that is to be rented. */
export interface UpWish {
  /** A repository of the Hugging Face Hub. */
  readonly repo: string;
  /** Null: one that follows from the repository. */
  readonly name: string | null;
  readonly context: number;
  /** Null: nobody said. */
  readonly concurrency: number | null;
  readonly quant: Quant | null;
  /** Null: the cheapest that fits. */
  readonly gpu: Sku | null;
  /** Whether the person said yes to the cost. */
  readonly confirmed: boolean;
  readonly without_watchdog: boolean;
}

const MAX_NAME = 39;

/** A name for a runtime of `org/Model-Name`: `model-name`. */
export function nameFor(repo: string): string {
  const model = repo.split("/").at(-1) ?? repo;
  const plain = model.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.slice(0, MAX_NAME).replaceAll(/^-+|-+$/g, "") || "runtime";
}
