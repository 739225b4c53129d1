import { Type } from "@sinclair/typebox";

import { parseInstant } from "../instant.ts";
import type { Refusal } from "../refusal.ts";

/** An instant in the query of a list. */
export const instant = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} Epoch ms or RFC 3339.`,
      examples: ["1764460800000"],
    }),
  );

type ReadInstants =
  | { readonly kind: "value"; readonly value: { readonly from?: number; readonly to?: number } }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Epoch ms of the bounds that were given. */
export function readInstants(bounds: {
  readonly from: string | undefined;
  readonly to: string | undefined;
}): ReadInstants {
  const value: { from?: number; to?: number } = {};
  for (const param of ["from", "to"] as const) {
    const text = bounds[param];
    if (text === undefined) continue;
    const at = parseInstant(text);
    if (at === undefined) {
      const message = `\`${param}\` must be epoch milliseconds or RFC 3339, such as \`2026-11-30T12:00:00Z\`.`;
      return { kind: "refused", refusal: { code: "invalid_request", message, param } };
    }
    value[param] = at;
  }
  return { kind: "value", value };
}
