import type { Target } from "../address/target.ts";
import { failureOf } from "../health/failure-facts.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import { type BodySource, outgoingBody } from "../protocol/openai/outgoing.ts";
import { spellParams, withParams } from "../protocol/openai/spell-params.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import type { Candidate } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import { outboundHeaders } from "../upstream/outbound-headers.ts";
import type { Failed } from "./blame.ts";
import { chatParams } from "./chat-params.ts";
import { type ShapedSource, shapeForChat } from "./chat-shaping.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { ignoreHosts } from "./ignore-hosts.ts";
import { lossEdits } from "./loss-edits.ts";
import type { Run } from "./run.ts";
import { shape, type ShapedFor } from "./shape.ts";
import { type Told, writeTranslated } from "./write-translated.ts";

interface Outgoing {
  readonly run: Run;
  readonly instance: Instance;
  readonly candidate: Pick<Candidate, "member" | "preferred">;
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

const NO_TOOLS: ReadonlySet<string> = new Set();

/** Path, headers and body of one upstream call, or why there is no way to put the request. */
export function outgoing(
  { identity, learned, shutHosts }: RelayDependencies,
  { run, instance, candidate: { member: target, preferred }, pinned }: Outgoing,
): Call | Failed {
  const { request, stream } = run;
  const wire = learned.wireOf(request.dialect, instance) ?? request.dialect;
  const verdict = learned.verdictOn(target.model);
  const drops_thinking = isForeign(run, target.model);
  const lesson =
    wire === "responses" ? learned.responsesLessonOn(instance, target.model) : undefined;
  const shaped = { wire, instance, target, pinned, verdict, drops_thinking, lesson };
  const tells = { run, shaped, learned, preferred };
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
  readonly preferred: Candidate["preferred"] | undefined;
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
  const params = spellParams(wire, own.params, own.source.parsed);
  const { bytes, edits } = outgoingBody(
    { source: own.source, dialect: wire, stream: run.stream },
    {
      model: target.model,
      params,
      accepts_stream_options: learned.takesStreamOptions(instance),
      accepts_encoding_format: instance.type.quirks.encoding_format,
      shaping: shape(withParams(own.source.parsed, params), shaped, params.has_effort),
    },
  );
  if (own.lossy.length + own.edits.length === 0) return { bytes, edits };
  const shapes = own.edits.map((path) => `shaped:${path}`);
  return { bytes, edits: [...lossEdits(own.lossy), ...shapes, ...edits] };
}

function asIs(source: BodySource, { params }: Target): ShapedSource {
  return { source, params, lossy: [], edits: [] };
}

function forChat(source: BodySource, { run, shaped, learned, preferred }: Telling) {
  const { instance, target, pinned } = shaped;
  return shapeForChat(source, {
    instance,
    target,
    pinned,
    params: chatParams(source.parsed, target),
    preferred,
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
  if (wire !== "chat") return writeTranslated(wire, run, shaped);
  const told = splice(run.chat(), telling);
  return "param" in told ? told : { ...told, edits: [...lossEdits(lossy), ...told.edits] };
}
