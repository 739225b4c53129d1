import { joinBytes } from "../../json/edit.ts";
import { isContentBearing } from "../../openai/content.ts";
import type { ErrorDetails } from "../../openai/error-envelope.ts";
import type { Step, StreamFacts } from "../../openai/stream.ts";
import type { ChoiceFacts } from "../../openai/stream/choice.ts";
import type { Frame } from "../../sse/framer.ts";
import { closedFrame, lastFrame } from "../../sse/payload.ts";
import { anthropicErrorFrame } from "../error-envelope.ts";
import { framesWithin, readEvent } from "../read-event.ts";
import { createObserver } from "./observe.ts";
import { createMessagesRepair, type Framed } from "./repair.ts";

interface ReaderOptions {
  /** For a message whose upstream leaves out its beginning. */
  readonly id: string;
  readonly model: string;
  readonly newId: () => string;
  /** Told the name of every edit made. */
  readonly onEdit: (edit: string) => void;
  /** Told the text of each delta that has one, in order; the choice is always 0. */
  readonly onText?: (choice: number, text: string) => void;
}

const NOTHING: Step = { out: new Uint8Array(), is_content: false, is_done: false, error: null };

/** Follows a Messages stream frame by frame for a client of the same dialect, and repairs what SDKs cannot read. */
export function createMessagesReader({ id, model, onEdit, ...options }: ReaderOptions) {
  const observer = createObserver(options);
  const repair = createMessagesRepair({ id, model, onEdit, calls: () => observer.calls() });
  let malformed = 0;
  let isDone = false;

  function forward(framed: Framed): Step {
    const { event } = framed;
    const before = isContentBearing(observer.content());
    observer.see(event);
    const bytes = repair.repaired(framed);
    const is_content = !before && isContentBearing(observer.content());
    const is_done = event.type === "message_stop";
    isDone ||= is_done;
    return { ...NOTHING, out: is_done ? lastFrame(bytes) : bytes, is_content, is_done };
  }

  function dropped(frame: Frame): Step {
    // A last frame that the connection cut is no fault of its own.
    if (frame.terminated) malformed++;
    const frames = framesWithin(frame);
    onEdit(frames.length > 0 ? "salvaged_frame" : "dropped_frame");
    return frames.map(read).reduce(joined, NOTHING);
  }

  function read(frame: Frame): Step {
    const found = readEvent(frame);
    switch (found.kind) {
      case "event":
        return forward({ frame, ...found });
      case "error":
        return { ...NOTHING, error: found.payload };
      case "done":
        // Chat's marker means nothing to clients of this dialect, but it is an end.
        isDone = true;
        return { ...NOTHING, out: repair.missingEnd(), is_done: true };
      case "malformed":
        return dropped(frame);
      default:
        return { ...NOTHING, out: frame.terminated ? closedFrame(frame, frame.raw) : NOTHING.out };
    }
  }

  return {
    read,

    facts: (): StreamFacts => ({
      content: observer.content(),
      finish: new Map(observer.finish() === null ? [] : [[0, observer.finish() ?? ""]]),
      is_finished: isDone || observer.finish() !== null,
      usage: observer.usage(),
      malformed_frames: malformed,
    }),

    /** The one answer that a message is, as choice 0. */
    choices: (): ReadonlyMap<number, ChoiceFacts> => new Map([[0, observer.facts()]]),

    /** What still has to be said where the upstream closed after a stop reason; possibly nothing. */
    close: (): Uint8Array => (isDone ? NOTHING.out : repair.missingEnd()),

    /** What ends the client's stream with an error instead, at any point. */
    fail: (error: ErrorDetails): string => anthropicErrorFrame(error),
  };
}

/** After its end or an error nothing more counts. */
function joined(before: Step, next: Step): Step {
  if (before.is_done || before.error !== null) return before;
  return {
    ...next,
    out: joinBytes([before.out, next.out]),
    is_content: before.is_content || next.is_content,
  };
}
