import type { Observation } from "../../health/trips/observation.ts";
import { readReply } from "../contracts/read-reply.ts";
import type { Probe } from "../probes/probe.ts";
import type { ProbeReply } from "../probes/reply.ts";

/**
 * An answer to a question of the canary as the trip rule takes those of clients; null if none came, or
 * not from where it was asked for. No client waits for it, so that a stream is as good as a whole answer.
 */
export function trialObservation(
  probe: Probe,
  reply: ProbeReply,
  started_at: number,
): Observation | null {
  const read = readReply(probe, reply);
  if (read.kind === "unanswered") return null;
  const { instance, model } = probe.endpoint;
  const { verdict, is_ascii } = read.judgement;
  const ascii = { prompt: true, answer: is_ascii };
  return { target: { instance, model }, verdict, stream: false, ascii, started_at, origin: null };
}
