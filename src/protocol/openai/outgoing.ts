import { applyEdits, changeObject, objectEdits } from "../json/edit.ts";
import { type Member, memberValue } from "../json/scan.ts";
import { isObject, type JsonObject } from "./fields.ts";

interface OutgoingRequest {
  /** The client's body and the members of its top-level object. */
  readonly bytes: Uint8Array;
  readonly open: number;
  readonly members: readonly Member[];
  readonly parsed: JsonObject;
  readonly dialect: "chat" | "completions" | "embeddings";
  readonly stream: boolean;
}

interface OutgoingTarget {
  readonly model: string;
  /** Request fields that the target's spec asks for where the client did not. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly accepts_stream_options: boolean;
  readonly accepts_encoding_format: boolean;
}

export interface OutgoingBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names of the edits, for the decision; `model` is always one and not listed. */
  readonly edits: readonly string[];
}

/** What the router itself decides; a spec's params never touch it. */
const OWN_MEMBERS = new Set(["model", "stream", "messages", "input", "prompt", "veriroute"]);

/** Names that a spec uses and the dialect spells differently. */
const RENAMED: ReadonlyMap<string, string> = new Map([["effort", "reasoning_effort"]]);

/** The body for one target: the client's bytes, spliced only where something must differ. */
export function outgoingBody(request: OutgoingRequest, target: OutgoingTarget): OutgoingBody {
  const { bytes, open, members, parsed } = request;
  const set = new Map<string, string | Uint8Array>([["model", JSON.stringify(target.model)]]);
  const remove = new Set<string>();
  const edits: string[] = [];
  if (Object.hasOwn(parsed, "veriroute")) {
    remove.add("veriroute");
    edits.push("veriroute_block");
  }
  for (const [name, value] of Object.entries(target.params)) {
    const member = request.dialect === "chat" ? (RENAMED.get(name) ?? name) : name;
    if (OWN_MEMBERS.has(member) || Object.hasOwn(parsed, member)) continue;
    set.set(member, JSON.stringify(value));
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
  { parsed, members, bytes, stream }: OutgoingRequest,
  target: OutgoingTarget,
  { set, remove, edits }: Changes & { readonly remove: Set<string> },
): void {
  if (!stream) {
    // Some servers stream unless told not to.
    if (parsed["stream"] !== false) set.set("stream", "false");
    return;
  }
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
  { parsed }: OutgoingRequest,
  target: OutgoingTarget,
  { set, edits }: Changes,
): void {
  if (target.accepts_encoding_format || parsed["encoding_format"] !== "base64") return;
  set.set("encoding_format", '"float"');
  edits.push("encoding_format");
}
