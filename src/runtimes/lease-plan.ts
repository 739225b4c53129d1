import { type Static, Type } from "@sinclair/typebox";

import { SKUS } from "../sizing/gpus.ts";
import { choices, nullable, open, text } from "./lease-kinds.ts";

/** What was asked for. */
export const LeaseSpec = Type.Object(
  {
    repo: text,
    revision: nullable(text),
    /** Tokens. */
    ctx: Type.Integer({ minimum: 1 }),
    /** As written by the user, such as `awq` or `q4_k_m`; null for the repository's own weights. */
    quant: nullable(text),
    /** Requests that its server takes at once; null for as many as it likes. */
    concurrency: nullable(Type.Integer({ minimum: 1 })),
  },
  open,
);
export type LeaseSpec = Static<typeof LeaseSpec>;

/** What sizing decided; bootstrap follows it to the letter. */
export const LeasePlan = Type.Object(
  {
    sku: choices(SKUS),
    recipe: choices(["vllm", "llamacpp"] as const),
    /** The argument of `--dtype`: `half` below compute capability 8.0, which has no bfloat16. */
    dtype: choices(["auto", "half"] as const),
    /** Share of the device's memory that the server may take; never left to its default. */
    gpu_memory_utilization: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    /** Set for the server, against faults of this GPU. */
    environment: Type.Record(text, text, { default: {} }),
    required_gib: Type.Number({ minimum: 0 }),
    budget_gib: Type.Number({ minimum: 0 }),
    notes: Type.Array(text),
  },
  open,
);
export type LeasePlan = Static<typeof LeasePlan>;
