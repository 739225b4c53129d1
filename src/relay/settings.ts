import type { Config } from "../config/schema.ts";
import { parseDuration } from "../lib/durations.ts";
import { parseSize } from "../lib/sizes.ts";
import type { RelaySettings } from "./dependencies.ts";

/** The numbers of one config; it was checked when it was loaded, so every text has a value. */
export function relaySettings({ routing, server, verifier }: Config): RelaySettings {
  return {
    max_attempts: routing.max_attempts,
    retries: routing.retries,
    on_refusal: routing.on_refusal,
    deadline_ms: parseDuration(routing.deadline) ?? 0,
    max_stream_ms: parseDuration(routing.max_stream) ?? null,
    keepalive_ms: parseDuration(server.keepalive_after) ?? null,
    max_frame_bytes: parseSize(routing.max_frame) ?? 0,
    max_answer_bytes: parseSize(routing.max_answer) ?? 0,
    ignored_signatures: new Set(verifier.ignore),
  };
}
