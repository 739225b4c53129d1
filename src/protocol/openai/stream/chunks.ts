import type { Edit } from "../../json/edit.ts";
import type { Frame } from "../../sse/framer.ts";
import { closedFrame, type Payload, payloadOf } from "../../sse/payload.ts";
import { type ContentFacts, isContentBearing } from "../content.ts";
import { arrayOf, isObject, type JsonObject, objectOf } from "../fields.ts";
import type { TokenUsage } from "../usage.ts";
import { AlikeChunks } from "./alike-chunks.ts";
import type { ChoiceFacts, ChoiceOptions } from "./choice.ts";
import { createChoices } from "./choices.ts";
import { usageFrame } from "./finish-chunk.ts";
import { createToldUsage } from "./told-usage.ts";

/** What a stream's chunks have shown so far. */
export interface ChunkFacts {
  readonly content: ContentFacts;
  /** Finish reason by choice index, as the upstream spelled it. */
  readonly finish: ReadonlyMap<number, string>;
  /** Some choice finished, and none with content is still without a finish. */
  readonly is_finished: boolean;
  readonly usage: TokenUsage | null;
}

export interface ChunkOptions extends ChoiceOptions {
  /** Drop the usage-only chunk: the router asked for it, the client did not. */
  readonly drop_usage: boolean;
  /** Told the name of every edit made. */
  readonly onEdit: (edit: string) => void;
  /** Told what a gateway calls the host that the answer comes from. */
  readonly onHost?: (name: unknown) => void;
}

interface ReadChunk {
  /** The frame's bytes, repaired where they must be; empty if it is dropped. */
  readonly out: Uint8Array;
  /** It holds the first content of the stream. */
  readonly is_content: boolean;
}

const NOTHING = new Uint8Array();

/** Follows the chunks of a stream, errors apart. */
export class ChunkReader {
  readonly #options: ChunkOptions;
  readonly #choices: ReturnType<typeof createChoices>;
  readonly #usage = createToldUsage();
  readonly #alike: AlikeChunks;
  #last: JsonObject = {};

  constructor(options: ChunkOptions) {
    const { dialect, onText } = options;
    this.#options = options;
    this.#choices = createChoices(options);
    this.#alike = new AlikeChunks({
      dialect,
      onText,
      onRepeated: (chunk) => this.#repeated(chunk),
    });
  }

  /** Takes in a frame that repeats an earlier chunk, and may go on as it came; false for any other. */
  repeats(frame: Frame): boolean {
    return this.#alike.repeats(frame);
  }

  /** Takes in all frames of a text that do, from where one begins; returns where another one begins. */
  pass(text: string, from: number): number {
    return this.#alike.pass(text, from);
  }

  read(frame: Frame, chunk: JsonObject): ReadChunk {
    this.#tellHost(chunk);
    const tellsUsage = this.#usage.read(chunk);
    const list = arrayOf(chunk["choices"]);
    if (list.length > 0) this.#last = chunk;
    if (this.#options.drop_usage && list.length === 0 && isObject(chunk["usage"])) {
      this.#options.onEdit("usage_chunk");
      return { out: NOTHING, is_content: false };
    }
    const choices = this.#choices;
    const before = isContentBearing(choices.content());
    const out = repaired(frame, list, choices);
    if (out === frame.raw && !tellsUsage) {
      this.#alike.learn({ frame, chunk, contentOf: choices.contentOf });
    }
    return { out, is_content: !before && isContentBearing(choices.content()) };
  }

  /** Takes in a chunk that nobody is sent; returns whether it holds the first content of the stream. */
  watch(chunk: JsonObject): boolean {
    this.#tellHost(chunk);
    this.#usage.read(chunk);
    const choices = this.#choices;
    const before = isContentBearing(choices.content());
    arrayOf(chunk["choices"]).forEach((value, position) =>
      choices.read(objectOf(value), { payload: () => NOTHING, position }),
    );
    return !before && isContentBearing(choices.content());
  }

  /**
   * Before `[DONE]`, as frames: finish chunks for what has content and no end, and the usage that the
   * client asked for, if all there was stood inside a choice or a vendor's own member.
   */
  missingEnd(): string {
    const { dialect, drop_usage, onEdit } = this.#options;
    const finishes = this.#choices.missingFinishes(this.#last);
    const hidden = this.#usage.hidden();
    if (drop_usage || hidden === null) return finishes;
    onEdit("usage_chunk");
    return finishes + usageFrame(this.#last, dialect, hidden);
  }

  /** By index. */
  choices(): ReadonlyMap<number, ChoiceFacts> {
    return this.#choices.facts();
  }

  facts(): ChunkFacts {
    return {
      content: this.#choices.content(),
      finish: this.#choices.finish(),
      is_finished: this.#choices.isFinished(),
      usage: this.#usage.usage(),
    };
  }

  #repeated(chunk: JsonObject): void {
    this.#tellHost(chunk);
    this.#last = chunk;
  }

  #tellHost({ provider }: JsonObject): void {
    if (provider !== undefined) this.#options.onHost?.(provider);
  }
}

/** The frame's bytes with the repairs that the choices of its chunk need. */
function repaired(
  frame: Frame,
  list: readonly unknown[],
  choices: ReturnType<typeof createChoices>,
): Uint8Array {
  let payload: Payload | undefined;
  const bytes = () => (payload ??= payloadOf(frame)).bytes;
  const edits: Edit[] = [];
  for (let position = 0; position < list.length; position++) {
    edits.push(...choices.read(objectOf(list[position]), { payload: bytes, position }));
  }
  return closedFrame(frame, payload && edits.length > 0 ? payload.edited(edits) : frame.raw);
}
