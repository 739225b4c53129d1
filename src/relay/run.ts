import type { Clock } from "../lib/clock.ts";
import { type Member, objectMembers } from "../protocol/json/scan.ts";
import { arrayOf, objectOf } from "../protocol/openai/fields.ts";
import type { ClientRequest } from "./client-request.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import { createStopper, type Stopper } from "./watch.ts";

/** One request while it is being carried out. */
export interface Run {
  readonly request: ClientRequest;
  readonly stream: boolean;
  readonly entry: LedgerEntry;
  readonly stopper: Stopper;
  /** Where the body's object opens, and its members: scanned once, spliced per target. */
  readonly open: number;
  readonly members: readonly Member[];
  /** The client asked for the usage chunk itself. */
  readonly wants_usage: boolean;
  readonly max_tokens: number | null;
  readonly is_after_tool_result: boolean;
  /** Milliseconds left until the request's deadline; never negative. */
  timeLeft(): number;
}

interface RunParts {
  readonly request: ClientRequest;
  readonly entry: LedgerEntry;
  readonly clock: Clock;
  readonly deadline_ms: number;
}

export function isStream({ dialect, parsed }: Pick<ClientRequest, "dialect" | "parsed">): boolean {
  return dialect !== "embeddings" && parsed["stream"] === true;
}

export function createRun({ request, entry, clock, deadline_ms }: RunParts): Run {
  const { parsed, body } = request;
  const started = clock.elapsed();
  const open = body.indexOf(0x7b);
  const cap = parsed["max_completion_tokens"] ?? parsed["max_tokens"];
  return {
    request,
    entry,
    stream: isStream(request),
    stopper: createStopper(),
    open,
    members: objectMembers(body, open),
    wants_usage: objectOf(parsed["stream_options"])["include_usage"] === true,
    max_tokens: typeof cap === "number" ? cap : null,
    is_after_tool_result: objectOf(arrayOf(parsed["messages"]).at(-1))["role"] === "tool",
    timeLeft: () => Math.max(0, deadline_ms - (clock.elapsed() - started)),
  };
}
