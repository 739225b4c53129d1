import type { Clock } from "../lib/clock.ts";
import { once } from "../lib/memoize.ts";
import { type Member, objectMembers } from "../protocol/json/scan.ts";
import { objectOf } from "../protocol/openai/fields.ts";
import { isStream } from "../routing/demands.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RelaySettings } from "./dependencies.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import { type RequestProfile, requestProfile } from "./request-profile.ts";
import { createWatch, type Watch } from "./watch.ts";

/** One request while it is being carried out. */
export interface Run {
  readonly request: ClientRequest;
  readonly settings: RelaySettings;
  readonly stream: boolean;
  readonly entry: LedgerEntry;
  /** Stops everything done for the request; holds its deadline until the answer is certain. */
  readonly watch: Watch;
  /** Where the body's object opens, and its members: scanned once, spliced per target. */
  readonly open: number;
  readonly members: readonly Member[];
  /** The client asked for the usage chunk itself. */
  readonly wants_usage: boolean;
  /** Made when the first answer is there to be judged. */
  readonly profile: () => RequestProfile;
  /** Headers are out, before it was known who answers. */
  is_committed: boolean;
  /** Milliseconds left until the deadline; never negative. */
  timeLeft(): number;
}

interface RunParts {
  readonly request: ClientRequest;
  readonly entry: LedgerEntry;
  readonly clock: Clock;
  readonly settings: RelaySettings;
}

/** Its deadline runs from here on. */
export function createRun({ request, entry, clock, settings }: RunParts): Run {
  const { parsed, body } = request;
  const { deadline_ms } = settings;
  const started = clock.elapsed();
  const open = body.indexOf(0x7b);
  const watch = createWatch();
  watch.arm("deadline", deadline_ms);
  return {
    request,
    settings,
    entry,
    stream: isStream(parsed, request.dialect),
    watch,
    open,
    members: objectMembers(body, open),
    wants_usage: objectOf(parsed["stream_options"])["include_usage"] === true,
    profile: once(() => requestProfile(request)),
    is_committed: false,
    timeLeft: () => Math.max(0, deadline_ms - (clock.elapsed() - started)),
  };
}
