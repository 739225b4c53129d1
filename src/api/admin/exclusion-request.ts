import { Type } from "@sinclair/typebox";

import type { Inventory } from "../../control/inventory.ts";
import { readSubject } from "../../health/scope.ts";
import type { StoredExclusion } from "../../store/store.ts";
import { parseInstant } from "../instant.ts";
import type { Refusal } from "../refusal.ts";
import { adminBody } from "./body.ts";
import { unknownInstance } from "./known-instance.ts";
import { closed } from "./list.ts";

export const ExclusionRequest = Type.Object(
  {
    subject: Type.String({
      maxLength: 512,
      description: "An instance, `nim`, or a target, `nim:qwen3-30b`.",
      expected: "it must be the name of an instance or the key of a target, `instance:model`",
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$",
      description: "Why, for whoever asks `explain`.",
      expected: "it must be a text of 1 to 500 characters without line breaks",
    }),
    until: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: "When it ends by itself: epoch ms or RFC 3339. Left out, it lasts.",
        expected: "it must be epoch milliseconds or RFC 3339, such as `2026-11-30T12:00:00Z`",
      }),
    ),
  },
  closed,
);

type Wanted = Pick<StoredExclusion, "scope" | "subject" | "reason" | "until_at">;

type ReadExclusion =
  | { readonly kind: "value"; readonly value: Wanted }
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface Known {
  readonly inventory: Pick<Inventory, "providers">;
  /** Epoch ms. */
  readonly now: number;
}

/** What a body asks to be shut out; one that excludes nothing would be taken for one that does. */
export async function readExclusion(
  request: Request,
  { inventory, now }: Known,
): Promise<ReadExclusion> {
  const body = await adminBody(request, ExclusionRequest);
  if (body.kind === "refused") return { kind: "refused", refusal: asValue(body.refusal) };
  const { reason, until = null } = body.value;
  const read = readSubject(body.value.subject);
  if (!read.ok) return wrong("subject", read.message);
  const { scope, subject, instance } = read.value;
  const unknown = unknownInstance(instance, inventory);
  if (unknown !== undefined) return wrong("subject", unknown);
  const until_at = until === null ? null : (parseInstant(String(until)) ?? 0);
  if (until_at !== null && until_at <= now) return wrong("until", NO_TIME_TO_COME);
  return { kind: "value", value: { scope, subject, reason: reason.trim(), until_at } };
}

const NO_TIME_TO_COME =
  "it must be an instant that is still to come, as epoch milliseconds or RFC 3339, such as `2026-11-30T12:00:00Z`; leave it out for an exclusion that lasts";

/** A body that is JSON but excludes nothing holds a value that does not fit, as a config may. */
function asValue(refusal: Refusal): Refusal {
  return refusal.code === "invalid_request" ? { ...refusal, code: "invalid_value" } : refusal;
}

function wrong(param: string, message: string): ReadExclusion {
  return {
    kind: "refused",
    refusal: { code: "invalid_value", message: `\`${param}\`: ${message}.`, param },
  };
}
