import type { SpecErrorCode } from "./spec-fault.ts";
import { parseSpec, printSpec, specKey } from "./spec.ts";
import type { Params } from "./target.ts";

/** One answer line of `veriroute inspect spec`; what does not apply is left out. */
export type SpecInspection =
  | {
      readonly id: unknown;
      readonly ok: true;
      readonly key: string;
      readonly canonical: string;
      readonly provider: string;
      readonly model?: string;
      readonly params: Params;
      readonly instance?: string;
    }
  | { readonly id: unknown; readonly ok: false; readonly error: SpecErrorCode | "not_a_string" };

/** What the router makes of one input line; `id` comes back as it was, null if there was none. */
export function inspectSpec(line: {
  readonly id?: unknown;
  readonly spec?: unknown;
}): SpecInspection {
  const id = line.id ?? null;
  if (typeof line.spec !== "string") return { id, ok: false, error: "not_a_string" };
  const parsed = parseSpec(line.spec);
  if (!parsed.ok) return { id, ok: false, error: parsed.error };
  const { spec } = parsed;
  return {
    id,
    ok: true,
    key: specKey(spec),
    canonical: printSpec(spec),
    provider: spec.provider,
    ...(spec.model === null ? {} : { model: spec.model }),
    params: spec.params,
    ...(spec.instance === null ? {} : { instance: spec.instance }),
  };
}
