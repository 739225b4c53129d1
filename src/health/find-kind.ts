import type { ErrorFields } from "../protocol/error-fields.ts";
import type { FailureKind } from "./failure.ts";
import { distrustOf, kindOfStatus } from "./status-rules.ts";
import { matchTextRule } from "./text-rules.ts";
import { tellingCode, vagueCode } from "./vendor-codes.ts";
import type { Answer } from "./waits.ts";

/** A kind with the reason for it, in our own words. */
export interface Finding {
  readonly kind: FailureKind;
  readonly reason: string;
}

/** Telling codes, then texts that overrule a status, then the status, then vague codes. */
export function findKind(answer: Answer): Finding {
  const { body, codes, header, status, vendor } = answer;
  const code = tellingCode(codes, vendor);
  if (code !== undefined) return { kind: code.kind, reason: `the vendor's code \`${code.code}\`` };
  const rule = matchTextRule({
    status,
    codes,
    text: body.message ?? "",
    param: body.param,
    has_retry_after: header("retry-after") !== null,
  });
  return rule === undefined ? byStatus(answer) : { kind: rule.kind, reason: rule.reason };
}

function byStatus({ body, codes, status }: Answer): Finding {
  const code = vagueCode(codes);
  const hint = code && { kind: code.kind, reason: `the code \`${code.code}\`` };
  // A relay's status is often a plain 500 or 400 where the vendor's word says more; nobody relays a 402.
  if (hint?.kind === "rate_limit" && status !== 402) return hint;
  if (status === null) {
    return hint ?? { kind: "server", reason: "an error in the answer that names no cause" };
  }
  const distrust = distrustOf({ status, form: body.form, message: body.message });
  if (distrust !== null && hint === undefined) return { kind: "unknown", reason: distrust };
  return { kind: kindOfStatus(status), reason: `HTTP status ${status}` };
}

/** What the vendor behind an aggregator said, if that settles it. */
export function behindGateway(inner: ErrorFields, status: number | null): Finding | null {
  const code = tellingCode(inner.codes, "");
  if (code !== undefined) {
    return {
      kind: code.kind,
      reason: `the code \`${code.code}\` of the vendor behind the gateway`,
    };
  }
  const rule = matchTextRule({
    status,
    codes: inner.codes,
    text: inner.message ?? "",
    param: inner.param,
    has_retry_after: false,
  });
  return rule === undefined
    ? null
    : { kind: rule.kind, reason: `behind the gateway: ${rule.reason}` };
}
