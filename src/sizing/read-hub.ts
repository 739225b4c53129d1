import { type ModelFacts, UNKNOWN_ARCHITECTURE, unknownModel } from "./model-facts.ts";
import { isTable, quantMethod } from "./read-config.ts";
import { readFiles } from "./read-files.ts";
import type { Tensors } from "./tensors.ts";

/**
 * What the Hub's `GET /api/models/{repo}?blobs=true` says; null if it is no object. The architecture is
 * in `config.json`, of which this answer has only the model type.
 */
export function readHubModel(repo: string, value: unknown): ModelFacts | null {
  if (!isTable(value)) return null;
  const { sha, safetensors, siblings, gated, config } = value;
  const head = isTable(config) ? config : {};
  const type = head["model_type"];
  return {
    ...unknownModel(repo),
    revision: typeof sha === "string" && /^[0-9a-f]{40}$/.test(sha) ? sha : null,
    tensors: isTable(safetensors) ? readTensors(safetensors["parameters"]) : null,
    ...readFiles(Array.isArray(siblings) ? siblings.flatMap((file) => readSibling(file)) : []),
    quant_method: quantMethod(head),
    architecture: {
      ...UNKNOWN_ARCHITECTURE,
      model_types: typeof type === "string" && type !== "" ? [type] : [],
    },
    gated: gated !== undefined && gated !== null && gated !== false,
  };
}

/** Null as soon as one number is none: a part is no bound of the whole. */
function readTensors(value: unknown): Tensors | null {
  if (!isTable(value)) return null;
  const entries = Object.entries(value);
  const counts = entries.flatMap(([dtype, count]) =>
    typeof count === "number" && Number.isSafeInteger(count) && count >= 0
      ? [[dtype, count] as const]
      : [],
  );
  const isWhole = counts.length === entries.length && counts.some(([, count]) => count > 0);
  return isWhole ? Object.fromEntries(counts) : null;
}

function readSibling(value: unknown) {
  if (!isTable(value) || typeof value["rfilename"] !== "string") return [];
  const size = value["size"];
  const bytes = typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : null;
  return [{ name: value["rfilename"], bytes }];
}
