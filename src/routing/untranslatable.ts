import type { ErrorDetails } from "../protocol/openai/error-envelope.ts";
import type { RoutePlan } from "./plan.ts";
import { DIALECT_UNSUPPORTED } from "./rules.ts";

/**
 * The error of a request that no candidate can be told in the dialect of its provider: no other time
 * will do. Undefined as long as one of them can, whatever else is in its way.
 */
export function speaksNowhere({
  candidates,
  untranslatable,
}: Pick<RoutePlan, "candidates" | "untranslatable">): ErrorDetails | undefined {
  const [barrier] = untranslatable;
  if (barrier === undefined) return undefined;
  const isBarred = ({ reasons }: (typeof candidates)[number]) =>
    reasons.some(({ code }) => code === DIALECT_UNSUPPORTED);
  if (!candidates.every(isBarred)) return undefined;
  const { code = "unsupported_parameter", message, param } = barrier;
  return { code, message, param };
}
