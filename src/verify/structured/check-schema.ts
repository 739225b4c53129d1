import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";

import type { JsonObject } from "../../protocol/openai/fields.ts";
import { loosenSchema } from "./loosen-schema.ts";
import { costPerLeaf, shapeOf } from "./schema-cost.ts";

export type SchemaCheck =
  | { readonly kind: "fits" }
  /** `keyword` is the schema's rule that the value breaks. */
  | { readonly kind: "violates"; readonly keyword: string }
  | { readonly kind: "not_judged"; readonly reason: "too_costly" | "unusable_schema" };

/** One evaluation takes about two microseconds, and all streams wait for it. */
const MAX_EVALUATIONS = 20_000;
const MAX_DEPTH = 64;

const DRAFTS: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ["draft-04", "4"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];

/** Holds a value against a client's schema, for a bounded time. Never throws. */
export function checkSchema(value: unknown, schema: JsonObject): SchemaCheck {
  try {
    const loose = loosenSchema(schema);
    const { leaves, depth } = shapeOf(value);
    const isCostly = depth > MAX_DEPTH || leaves * costPerLeaf(loose, depth) > MAX_EVALUATIONS;
    return isCostly ? { kind: "not_judged", reason: "too_costly" } : validate(value, loose);
  } catch {
    // A reference that leads nowhere, or a schema that is none: the client's, not the model's, fault.
    return { kind: "not_judged", reason: "unusable_schema" };
  }
}

function validate(value: unknown, schema: Schema): SchemaCheck {
  const name = schema["$schema"] ?? "";
  const draft = DRAFTS.find(([part]) => name.includes(part))?.[1] ?? "2020-12";
  const { valid, errors } = new Validator(schema, draft).validate(value);
  if (valid) return { kind: "fits" };
  // The last error is the innermost; those before it repeat where it stands.
  return { kind: "violates", keyword: errors.at(-1)?.keyword ?? "schema" };
}
