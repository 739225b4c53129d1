import type { Dialect } from "../dialect.ts";
import { applyEdits, changeObject, objectEdits } from "../json/edit.ts";
import { type Member, memberValue } from "../json/scan.ts";
import { isObject, type JsonObject } from "./fields.ts";

/** A JSON body that is spliced, with the members of its top-level object. */
export interface BodySource {
  readonly bytes: Uint8Array;
  readonly open: number;
  readonly members: readonly Member[];
  readonly parsed: JsonObject;
}

interface OutgoingRequest {
  readonly source: BodySource;
  readonly dialect: Dialect;
  readonly stream: boolean;
}

/** What a target wants to be different in a body, by member. */
export interface Shaping {
  readonly set: JsonObject;
  readonly remove: readonly string[];
  /** Names for the decision. */
  readonly edits: readonly string[];
}

interface OutgoingTarget {
  readonly model: string;
  /** Request fields that the target's spec asks for where the client did not. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly accepts_stream_options: boolean;
  readonly accepts_encoding_format: boolean;
  readonly shaping?: Shaping;
}

export interface OutgoingBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names of the edits, for the decision; `model` is always one and not listed. */
  readonly edits: readonly string[];
}

/** What the router itself decides; a spec's params never touch it. */
const OWN_MEMBERS = new Set([
  "model",
  "stream",
  "messages",
  "system",
  "input",
  "instructions",
  "prompt",
  "veriroute",
]);

/** Parameters of a spec, which are named as in chat, as each dialect spells them. */
const SPELLED: Readonly<Record<Dialect, ReadonlyMap<string, Spelling>>> = {
  chat: new Map([["effort", as("reasoning_effort")]]),
  completions: new Map(),
  embeddings: new Map(),
  messages: new Map([
    ["effort", within("output_config", "effort")],
    ["reasoning_effort", within("output_config", "effort")],
    ["max_completion_tokens", as("max_tokens")],
    ["stop", as("stop_sequences")],
  ]),
  responses: new Map([
    ["effort", within("reasoning", "effort")],
    ["reasoning_effort", within("reasoning", "effort")],
    ["max_tokens", as("max_output_tokens")],
    ["max_completion_tokens", as("max_output_tokens")],
  ]),
};

interface Spelling {
  readonly member: string;
  readonly value: (value: unknown) => unknown;
}

function as(member: string): Spelling {
  return { member, value: (value) => value };
}

function within(member: string, inner: string): Spelling {
  return { member, value: (value) => ({ [inner]: value }) };
}

const UNSHAPED: Shaping = { set: {}, remove: [], edits: [] };

/** The body for one target: the client's bytes, spliced only where something must differ. */
export function outgoingBody(request: OutgoingRequest, target: OutgoingTarget): OutgoingBody {
  const { bytes, open, members, parsed } = request.source;
  const { shaping = UNSHAPED } = target;
  const set = new Map<string, string | Uint8Array>();
  set.set("model", JSON.stringify(target.model));
  for (const [name, value] of Object.entries(shaping.set)) set.set(name, JSON.stringify(value));
  const remove = new Set<string>(shaping.remove);
  const edits: string[] = [...shaping.edits];
  if (Object.hasOwn(parsed, "veriroute")) {
    remove.add("veriroute");
    edits.push("veriroute_block");
  }
  for (const [name, value] of Object.entries(target.params)) {
    const spelling = SPELLED[request.dialect].get(name) ?? as(name);
    const { member } = spelling;
    if (OWN_MEMBERS.has(member) || Object.hasOwn(parsed, member) || set.has(member)) continue;
    set.set(member, JSON.stringify(spelling.value(value)));
    edits.push(`param:${member}`);
  }
  if (request.dialect === "embeddings") setEncoding(request, target, { set, edits });
  else setStreaming(request, target, { set, remove, edits });
  return { bytes: applyEdits(bytes, objectEdits(open, members, { set, remove })), edits };
}

interface Changes {
  readonly set: Map<string, string | Uint8Array>;
  readonly edits: string[];
}

function setStreaming(
  { dialect, source: { parsed, members, bytes }, stream }: OutgoingRequest,
  target: OutgoingTarget,
  { set, remove, edits }: Changes & { readonly remove: Set<string> },
): void {
  if (!stream) {
    // Some servers stream unless told not to.
    if (parsed["stream"] !== false) set.set("stream", "false");
    return;
  }
  // The others tell of usage unasked.
  if (dialect === "messages" || dialect === "responses") return;
  if (!target.accepts_stream_options) {
    if (!Object.hasOwn(parsed, "stream_options")) return;
    remove.add("stream_options");
    edits.push("stream_options");
    return;
  }
  const options = parsed["stream_options"];
  if (isObject(options) && options["include_usage"] === true) return;
  const span = isObject(options) ? memberValue(members, "stream_options") : undefined;
  set.set("stream_options", span ? withUsage(bytes.subarray(span.start, span.end)) : USAGE_OPTIONS);
  edits.push("stream_options");
}

const USAGE_OPTIONS = '{"include_usage":true}';

function withUsage(options: Uint8Array): Uint8Array {
  const change = { set: new Map([["include_usage", "true"]]), remove: new Set<string>() };
  return changeObject(options, change);
}

function setEncoding(
  { source: { parsed } }: OutgoingRequest,
  target: OutgoingTarget,
  { set, edits }: Changes,
): void {
  if (target.accepts_encoding_format || parsed["encoding_format"] !== "base64") return;
  set.set("encoding_format", '"float"');
  edits.push("encoding_format");
}
