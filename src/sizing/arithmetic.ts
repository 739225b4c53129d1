import { recipeOf } from "./compatibility.ts";
import { windowedKvBytes } from "./kv-cache.ts";
import type { ModelFacts } from "./model-facts.ts";
import { kvBytes, type Need, OVERHEAD_BYTES, requiredBytes } from "./need.ts";
import { grouped, shownGib } from "./numbers.ts";
import type { ParamCount } from "./param-count.ts";
import type { Quant } from "./quant.ts";

interface Wanted {
  readonly facts: ModelFacts;
  readonly quant: Quant | null;
  /** Tokens, which may be more than the model has. */
  readonly context: number;
}

/** What must not be overlooked. */
export function cautions(params: ParamCount, { kv }: Need): string[] {
  return [params.caution, kv.caution].filter((caution) => caution !== null);
}

/** llama.cpp takes any number, vLLM none that is larger than the model's own. */
function isContextOpen({ facts, quant }: Wanted): boolean {
  return facts.architecture.max_context === null && recipeOf(facts, quant) === "vllm";
}

/** Every step of the sum, for the person who asked. */
export function arithmetic(wanted: Wanted, need: Need, context: number): string[] {
  const { facts } = wanted;
  const { weights, kv, sequences } = need;
  const times = sequences === 1 ? "1 sequence" : `${sequences} sequences`;
  const cache = shownGib(kvBytes(need, context));
  const windowed = windowedKvBytes(facts.architecture, kv, context);
  return [
    ...(context < wanted.context
      ? [`context: the model has ${grouped(context)} tokens, not ${grouped(wanted.context)}`]
      : []),
    ...(isContextOpen(wanted)
      ? [
          `context: the model's own is not known; with fewer than ${grouped(context)} tokens it does not start`,
        ]
      : []),
    weights.note,
    `KV cache: ${kv.note} × ${grouped(context)} tokens × ${times} = ${cache} GiB`,
    ...(windowed === null
      ? []
      : [
          `KV cache with its sliding window: ${shownGib(windowed * sequences)} GiB; the full size is planned for`,
        ]),
    `overhead: ${shownGib(OVERHEAD_BYTES)} GiB`,
    `required: ${shownGib(weights.bytes)} + ${cache} + ${shownGib(OVERHEAD_BYTES)} = ${shownGib(requiredBytes(need, context))} GiB`,
  ];
}
