import { joinBytes } from "../protocol/json/edit.ts";
import type { JsonObject } from "../protocol/openai/fields.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import type { WrittenRequest } from "../protocol/translate/talk-format.ts";
import type { TalkDialect, Untranslatable } from "../protocol/translate/translation.ts";
import { chatParams } from "./chat-params.ts";
import { lossEdits } from "./loss-edits.ts";
import type { Run } from "./run.ts";
import { shape, type ShapedFor } from "./shape.ts";

/** A body as it goes out, and what is to be said of it. */
export interface Told {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly edits: readonly string[];
  readonly custom_tools?: readonly string[];
}

type Wire = Exclude<TalkDialect, "chat">;

/** The chat form written in a third dialect. */
export function writeTranslated(wire: Wire, run: Run, shaped: ShapedFor): Told | Untranslatable {
  const { model } = shaped.target;
  const { lossy } = run.view();
  const { written, params, lost } = writtenFor(wire, run, shaped);
  const [barrier] = written.refused;
  if (barrier) return barrier;
  // A translation to Messages has shaped what it wrote; there is none of what another vendor sealed.
  const has_effort = params.includes("reasoning_effort");
  const shaping = wire === "responses" ? shape(written.body, shaped, has_effort) : null;
  const body = without({ ...written.body, ...shaping?.set }, shaping?.remove ?? NONE);
  return {
    bytes: joinBytes([
      new TextEncoder().encode(JSON.stringify({ ...body, model, stream: run.stream })),
    ]),
    edits: [
      ...params.filter((name) => !written.lossy.includes(name)).map((name) => `param:${name}`),
      ...lossEdits([...lossy, ...written.lossy, ...lost]),
      ...(shaping?.edits ?? []),
    ],
    ...(written.custom_tools && { custom_tools: written.custom_tools }),
  };
}

interface WrittenFor {
  readonly written: WrittenRequest;
  /** Names of the parameters that were written. */
  readonly params: readonly string[];
  /** Names of those that would have stood in the way. */
  readonly lost: readonly string[];
}

const NONE: readonly string[] = [];

function writtenFor(wire: Wire, run: Run, shaped: ShapedFor): WrittenFor {
  const { target, verdict, drops_thinking } = shaped;
  const { model } = target;
  const view = run.view();
  const given = chatParams(view.body, target);
  const names = Object.keys(given);
  if (names.length === 0 && verdict === undefined && !drops_thinking) {
    return { written: view.written[wire](model), params: NONE, lost: NONE };
  }
  const about = { model, verdict, keep_thinking: !drops_thinking };
  const write = (params: JsonObject): WrittenRequest =>
    FORMATS[wire].requestFromChat({ ...params, ...view.body }, about);
  const written = write(given);
  // No client is refused for what it did not ask.
  const lost = written.refused.map(({ param }) => param).filter((name) => names.includes(name));
  if (lost.length === 0) return { written, params: names, lost };
  const params = names.filter((name) => !lost.includes(name));
  return { written: write(without(given, lost)), params, lost };
}

function without(body: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
