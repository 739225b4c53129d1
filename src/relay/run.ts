import type { Clock } from "../lib/clock.ts";
import { once } from "../lib/memoize.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { objectMembers } from "../protocol/json/scan.ts";
import { type JsonObject, objectOf } from "../protocol/openai/fields.ts";
import type { BodySource } from "../protocol/openai/outgoing.ts";
import { isStream } from "../routing/demands.ts";
import { type ChatView, chatView } from "./chat-view.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RelaySettings } from "./dependencies.ts";
import { createEgress, type Egress } from "./egress.ts";
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
  /** The client's body: scanned once, spliced per target. */
  readonly own: BodySource;
  /** The request in its chat form, with what that has no room for. */
  readonly view: () => ChatView;
  /** The chat form as a body, for targets that are spoken to in chat while the client is not. */
  readonly chat: () => BodySource;
  /** How the client is told things while it is being streamed to. */
  readonly egress: Egress;
  /** The client asked for the usage chunk itself. */
  readonly wants_usage: boolean;
  /** Made when the first answer is there to be judged. */
  readonly profile: () => RequestProfile;
  /** Headers are out, before it was known who answers. */
  is_committed: boolean;
  /** What the latest call was sent; null before the first. */
  sent: SentBody | null;
  /** The model that was asked first: earlier turns are most likely its own. */
  first_model: string | null;
  /** Models that did not think what earlier turns show. */
  readonly foreign_thinking: Set<string>;
  /** Milliseconds left until the deadline; never negative. */
  timeLeft(): number;
}

export interface SentBody {
  readonly wire: Dialect;
  readonly body: Uint8Array;
  /** Custom tools that the target was told of as functions. */
  readonly custom_tools: ReadonlySet<string>;
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
  const stream = isStream(parsed, request.dialect);
  const view = once(() => chatView(request));
  const watch = createWatch();
  watch.arm("deadline", deadline_ms);
  return {
    request,
    settings,
    entry,
    stream,
    watch,
    own: bodySource(body, parsed),
    view,
    chat: once(() => chatSource({ ...view().body, stream })),
    egress: createEgress({ request, view, entry, created_at: clock.now() }),
    wants_usage: objectOf(parsed["stream_options"])["include_usage"] === true,
    profile: once(() => requestProfile({ body, view: view().body })),
    is_committed: false,
    sent: null,
    first_model: null,
    foreign_thinking: new Set(),
    timeLeft: () => Math.max(0, deadline_ms - (clock.elapsed() - started)),
  };
}

function bodySource(bytes: Uint8Array, parsed: JsonObject): BodySource {
  const open = bytes.indexOf(0x7b);
  return { bytes, open, members: objectMembers(bytes, open), parsed };
}

function chatSource(parsed: JsonObject): BodySource {
  return bodySource(new TextEncoder().encode(JSON.stringify(parsed)), parsed);
}
