import type { Verdict } from "../../verify/verdict.ts";
import { failed, inconclusive, PASSED, type ProbeVerdict, transport } from "./contract.ts";

const CAPPED: ReadonlySet<string> = new Set([
  "client_capped_empty",
  "client_capped_json",
  "client_capped_text",
]);

/**
 * Whether an answer keeps the schema as it came; what a repair would make of it is not what a client
 * gets. Which values it holds is not judged.
 */
export function judgeStructured({ signature, trips }: Verdict): ProbeVerdict {
  if (signature === null) return PASSED;
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (CAPPED.has(signature)) return inconclusive(signature);
  return trips || signature === "content_filter" ? failed(signature) : PASSED;
}
