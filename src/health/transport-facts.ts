import type { TransportFaultKind } from "../protocol/transport-fault.ts";
import type { FailureKind } from "./failure.ts";

interface FaultFacts {
  readonly kind: FailureKind;
  readonly reason: string;
}

/** What follows from each way in which a call can fail without an HTTP answer. */
export const TRANSPORT_FACTS: Readonly<Record<TransportFaultKind, FaultFacts>> = {
  abort: { kind: "cancelled", reason: "the call was called off on our side" },
  local: {
    kind: "unknown",
    reason: "this machine ran out of files or ports; the upstream is not to blame",
  },
  timeout: { kind: "timeout", reason: "no answer in time" },
  undecodable_encoding: {
    kind: "bad_upstream",
    reason: "the answer's compression cannot be undone",
  },
  bad_answer: { kind: "bad_upstream", reason: "the upstream does not speak HTTP as it should" },
  dns: { kind: "network", reason: "the upstream's name does not resolve" },
  tls: { kind: "network", reason: "no trusted TLS connection" },
  forbidden: {
    kind: "bad_upstream",
    reason:
      "the upstream's name leads to a link-local or cloud metadata address, which is never called",
  },
  refused: { kind: "network", reason: "no connection to the upstream" },
  reset: { kind: "network", reason: "the upstream cut the connection" },
  unknown: { kind: "unknown", reason: "the call failed in a way we have no name for" },
};
