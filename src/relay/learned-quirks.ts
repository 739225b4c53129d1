import type { Failure } from "../health/failure.ts";
import type { Instance } from "../upstream/instance.ts";
import type { Run } from "./run.ts";

/**
 * What instances turned out not to take although their type does. It is forgotten with the instance,
 * as after a reload that changes it.
 */
export interface LearnedQuirks {
  /** Whether usage may be asked for in a stream. */
  takesStreamOptions(instance: Instance): boolean;
  /**
   * Whether a failure is about `stream_options` that we added, so that the client would be blamed for
   * what it never sent. It is not added for this instance again.
   */
  isOurStreamOptions(
    failure: Failure,
    call: Pick<Run, "stream" | "request">,
    to: Instance,
  ): boolean;
}

export function createLearnedQuirks(): LearnedQuirks {
  const refusing = new WeakSet<Instance>();
  return {
    takesStreamOptions: (instance) =>
      instance.type.quirks.stream_options && !refusing.has(instance),
    isOurStreamOptions(failure, { stream, request }, to) {
      // Not whether it is added now: of several requests at once each was refused for it.
      const isAdded = stream && to.type.quirks.stream_options;
      if (!isAdded || Object.hasOwn(request.parsed, "stream_options")) return false;
      if (!namesStreamOptions(failure)) return false;
      refusing.add(to);
      return true;
    },
  };
}

function namesStreamOptions({ kind, message, param }: Failure): boolean {
  if (kind !== "unsupported_param" && kind !== "bad_request") return false;
  return `${param} ${message}`.includes("stream_options");
}
