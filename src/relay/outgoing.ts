import type { Target } from "../address/target.ts";
import { failureOf } from "../health/failure-facts.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import { joinBytes } from "../protocol/json/edit.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import { type BodySource, outgoingBody } from "../protocol/openai/outgoing.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { TalkDialect, Untranslatable } from "../protocol/translate/translation.ts";
import type { Instance } from "../upstream/instance.ts";
import { outboundHeaders } from "../upstream/outbound-headers.ts";
import type { Failed } from "./blame.ts";
import { type ShapedSource, shapeForChat } from "./chat-shaping.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { ignoreHosts } from "./ignore-hosts.ts";
import type { Run } from "./run.ts";
import { shape, type ShapedFor } from "./shape.ts";

interface Outgoing {
  readonly run: Run;
  readonly instance: Instance;
  readonly target: Target;
  /** No pool chose the target. */
  readonly pinned: boolean;
}

/** One upstream call, ready to be sent. */
export interface Call {
  readonly kind: "call";
  readonly wire: Dialect;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Custom tools that the target was told of as functions. */
  readonly custom_tools: ReadonlySet<string>;
}

interface Told {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly edits: readonly string[];
  readonly custom_tools?: readonly string[];
}

const NO_TOOLS: ReadonlySet<string> = new Set();

/** Path, headers and body of one upstream call, or why there is no way to put the request. */
export function outgoing(
  { identity, learned, shutHosts }: RelayDependencies,
  { run, instance, target, pinned }: Outgoing,
): Call | Failed {
  const { request, stream } = run;
  const wire = learned.wireOf(request.dialect, instance) ?? request.dialect;
  const verdict = learned.verdictOn(target.model);
  const drops_thinking = isForeign(run, target.model);
  const shaped = { wire, instance, target, pinned, verdict, drops_thinking };
  const tells = { run, shaped, learned };
  const told = wire === request.dialect ? splice(run.own, tells) : translate(tells);
  if ("param" in told) return untold(told);
  for (const edit of told.edits) run.entry.edit(edit);
  const body = ignoreHosts(told.bytes, shutHosts(instance, target));
  if (body !== told.bytes) run.entry.edit("provider.ignore");
  run.first_model ??= target.model;
  const headers = outboundHeaders({
    instance,
    identity,
    endpoint: wire,
    stream,
    client: request.headers,
    translated: wire !== request.dialect,
  });
  // A plan never holds a target whose provider lacks the path.
  const path = instance.type.paths[wire] ?? "";
  const custom_tools = told.custom_tools ? new Set(told.custom_tools) : NO_TOOLS;
  return { kind: "call", wire, path, headers, body, custom_tools };
}

/** Whoever is asked after another model did not think what that one thought. */
function isForeign({ first_model, foreign_thinking }: Run, model: string): boolean {
  return (first_model !== null && first_model !== model) || foreign_thinking.has(model);
}

function untold({ message, param }: Untranslatable): Failed {
  const failure = failureOf("unsupported_param", { reason: message, param });
  return { kind: "failed", failure };
}

interface Telling {
  readonly run: Run;
  readonly shaped: ShapedFor;
  readonly learned: RelayDependencies["learned"];
}

/** The client's own bytes, or those of its chat form, spliced where they must differ. */
function splice(source: BodySource, telling: Telling): Told | Untranslatable {
  const { run, shaped, learned } = telling;
  const { wire, instance, target } = shaped;
  const own = wire === "chat" ? forChat(source, telling) : asIs(source, target);
  if ("param" in own) return own;
  const { bytes, edits } = outgoingBody(
    { source: own.source, dialect: wire, stream: run.stream },
    {
      model: target.model,
      params: own.params,
      accepts_stream_options: learned.takesStreamOptions(instance),
      accepts_encoding_format: instance.type.quirks.encoding_format,
      shaping: shape(source.parsed, shaped),
    },
  );
  if (own.lossy.length + own.edits.length === 0) return { bytes, edits };
  const shapes = own.edits.map((path) => `shaped:${path}`);
  return { bytes, edits: [...lossEdits(own.lossy), ...shapes, ...edits] };
}

function asIs(source: BodySource, { params }: Target): ShapedSource {
  return { source, params, lossy: [], edits: [] };
}

function forChat(source: BodySource, { run, shaped, learned }: Telling) {
  const { instance, target, pinned } = shaped;
  return shapeForChat(source, {
    instance,
    target,
    pinned,
    params: paramsFor(source.parsed, target),
    lesson: learned.lessonOn(instance, target.model),
    is_foreign: run.foreign_thinking.has(target.model),
  });
}

function translate(telling: Telling): Told | Untranslatable {
  const { run, shaped } = telling;
  const { wire } = shaped;
  const { lossy, refused } = run.view();
  const [barrier] = refused;
  if (barrier) return barrier;
  if (!isTalk(wire)) throw new Error(`a ${run.request.dialect} request was to be sent as ${wire}`);
  if (wire !== "chat") return write(wire, telling);
  const told = splice(run.chat(), telling);
  return "param" in told ? told : { ...told, edits: [...lossEdits(lossy), ...told.edits] };
}

/** The chat form written in a third dialect. */
function write(
  wire: Exclude<TalkDialect, "chat">,
  { run, shaped }: Telling,
): Told | Untranslatable {
  const { target, verdict, drops_thinking } = shaped;
  const { model } = target;
  const view = run.view();
  const { body: own, lossy } = view;
  const params = paramsFor(own, target);
  const isPlain = verdict === undefined && !drops_thinking && Object.keys(params).length === 0;
  const about = { model, verdict, keep_thinking: !drops_thinking };
  const written = isPlain
    ? view.written[wire](model)
    : FORMATS[wire].requestFromChat({ ...params, ...own }, about);
  const [barrier] = written.refused;
  if (barrier) return barrier;
  // A translation to Messages has shaped what it wrote; there is none of what another vendor sealed.
  const shaping = wire === "responses" ? shape(written.body, shaped) : null;
  const body = { ...written.body, ...shaping?.set, model, stream: run.stream };
  return {
    bytes: joinBytes([new TextEncoder().encode(JSON.stringify(body))]),
    edits: [
      ...Object.keys(params).map((name) => `param:${name}`),
      ...lossEdits([...lossy, ...written.lossy]),
      ...(shaping?.edits ?? []),
    ],
    ...(written.custom_tools && { custom_tools: written.custom_tools }),
  };
}

const MAX_LOSSES = 20;
/** A client may name a member of its body anything, and what is recorded holds no text of its own. */
const MEMBER = /^[\w.[\]-]{1,64}$/;

/** Names for the decision of what a translation left out. */
function lossEdits(lossy: readonly string[]): readonly string[] {
  if (lossy.length === 0) return lossy;
  const names = [...new Set(lossy.map((name) => (MEMBER.test(name) ? name : "other")))];
  const more = names.length > MAX_LOSSES ? ["more"] : [];
  return [...names.slice(0, MAX_LOSSES), ...more].map((name) => `lossy:${name}`);
}

/** What the target's spec asks for where the client did not. */
function paramsFor(own: JsonObject, { params }: Target): JsonObject {
  if (Object.keys(params).length === 0) return params;
  const { effort, ...rest } = params;
  const renamed = effort === undefined ? rest : { ...rest, reasoning_effort: effort };
  return Object.fromEntries(Object.entries(renamed).filter(([name]) => !Object.hasOwn(own, name)));
}
