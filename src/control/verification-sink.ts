import type { Store } from "../store/store.ts";
import type { Sink } from "../telemetry/events.ts";

/** Keeps verdicts that found something. A clean answer is in its decision, which is enough. */
export function createVerificationSink(store: Pick<Store, "recordVerification">): Sink {
  return {
    name: "verifications",
    record(event) {
      if (event.kind !== "attempt") return;
      const { at, decision_id, instance, attempt, applied_at = null } = event;
      const { n, target, verification } = attempt;
      if (verification === null) return;
      const { verdict, signature, detail, model_attributable, trips, scope } = verification;
      if (verdict === "ok" && signature === null) return;
      store.recordVerification({
        at,
        decision_id,
        n,
        instance,
        target,
        kind: "structural",
        verdict,
        signature,
        detail,
        model_attributable,
        trips,
        scope,
        applied_at,
      });
    },
  };
}
