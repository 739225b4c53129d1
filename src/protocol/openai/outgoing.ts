import type { Dialect } from "../dialect.ts";
import { applyEdits, changeObject, objectEdits } from "../json/edit.ts";
import { type Member, memberValue } from "../json/scan.ts";
import { isObject, type JsonObject } from "./fields.ts";
import type { SpelledParams } from "./spell-params.ts";

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
  readonly params: SpelledParams;
  readonly accepts_stream_options: boolean;
  readonly accepts_encoding_format: boolean;
  readonly shaping?: Shaping;
}

export interface OutgoingBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names of the edits, for the decision; `model` is always one and not listed. */
  readonly edits: readonly string[];
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
  setParams(request, target, { set, remove, edits });
  if (request.dialect === "embeddings") setEncoding(request, target, { set, edits });
  else setStreaming(request, target, { set, remove, edits });
  return { bytes: applyEdits(bytes, objectEdits(open, members, { set, remove })), edits };
}

interface Changes {
  readonly set: Map<string, string | Uint8Array>;
  readonly edits: string[];
}

interface Removal extends Changes {
  readonly remove: Set<string>;
}

function setParams(
  { source: { bytes, members, parsed } }: OutgoingRequest,
  { params: { params, lost } }: OutgoingTarget,
  { set, remove, edits }: Removal,
): void {
  for (const { member, inner, value } of params) {
    // Shaping has said it in the model's words.
    if (set.has(member) || remove.has(member)) continue;
    const text = JSON.stringify(value);
    if (inner === null) set.set(member, text);
    else {
      const span = isObject(parsed[member]) ? memberValue(members, member) : undefined;
      const own = span ? bytes.subarray(span.start, span.end) : EMPTY_OBJECT;
      set.set(member, changeObject(own, { set: new Map([[inner, text]]), remove: NONE }));
    }
    edits.push(`param:${member}`);
  }
  for (const name of lost) edits.push(`lossy:${name}`);
}

const EMPTY_OBJECT = new TextEncoder().encode("{}");
const NONE: ReadonlySet<string> = new Set();

function setStreaming(
  { dialect, source: { parsed, members, bytes }, stream }: OutgoingRequest,
  target: OutgoingTarget,
  { set, remove, edits }: Removal,
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
  return changeObject(options, { set: new Map([["include_usage", "true"]]), remove: NONE });
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
