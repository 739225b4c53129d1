import type { Clock } from "../lib/clock.ts";
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
import { Watch } from "./watch.ts";

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

/**
 * One request while it is being carried out. Its deadline runs from its making on; what not every
 * request needs is made when it is first asked for.
 */
export class Run {
  readonly request: ClientRequest;
  readonly settings: RelaySettings;
  readonly stream: boolean;
  readonly entry: LedgerEntry;
  /** Stops everything done for the request; holds its deadline until the answer is certain. */
  readonly watch = new Watch();
  /** Headers are out, before it was known who answers. */
  is_committed = false;
  /** What the latest call was sent; null before the first. */
  sent: SentBody | null = null;
  /** The model that was asked first: earlier turns are most likely its own. */
  first_model: string | null = null;
  /** Models that did not think what earlier turns show. */
  readonly foreign_thinking = new Set<string>();
  readonly #clock: Clock;
  readonly #started: number;
  #own: BodySource | undefined;
  #view: ChatView | undefined;
  #chat: BodySource | undefined;
  #egress: Egress | undefined;
  #profile: RequestProfile | undefined;

  constructor({ request, entry, clock, settings }: RunParts) {
    this.request = request;
    this.settings = settings;
    this.entry = entry;
    this.#clock = clock;
    this.#started = clock.elapsed();
    this.stream = isStream(request.parsed, request.dialect);
    this.watch.arm("deadline", settings.deadline_ms);
  }

  /** The client's body: scanned once, spliced per target. */
  get own(): BodySource {
    return (this.#own ??= bodySource(this.request.body, this.request.parsed));
  }

  /** The request in its chat form, with what that has no room for. */
  view(): ChatView {
    return (this.#view ??= chatView(this.request));
  }

  /** The chat form as a body, for targets that are spoken to in chat while the client is not. */
  chat(): BodySource {
    return (this.#chat ??= chatSource({ ...this.view().body, stream: this.stream }));
  }

  /** How the client is told things while it is being streamed to. */
  get egress(): Egress {
    const { request, entry } = this;
    return (this.#egress ??= createEgress({ request, entry, view: () => this.view() }));
  }

  /** The client asked for the usage chunk itself. */
  get wants_usage(): boolean {
    return objectOf(this.request.parsed["stream_options"])["include_usage"] === true;
  }

  /** What decides how answers are judged. */
  profile(): RequestProfile {
    const { body } = this.request;
    return (this.#profile ??= requestProfile({ body, view: this.view() }));
  }

  /** Milliseconds left until the deadline; never negative. */
  timeLeft(): number {
    return Math.max(0, this.settings.deadline_ms - (this.#clock.elapsed() - this.#started));
  }
}

function bodySource(bytes: Uint8Array, parsed: JsonObject): BodySource {
  const open = bytes.indexOf(0x7b);
  return { bytes, open, members: objectMembers(bytes, open), parsed };
}

function chatSource(parsed: JsonObject): BodySource {
  return bodySource(new TextEncoder().encode(JSON.stringify(parsed)), parsed);
}
