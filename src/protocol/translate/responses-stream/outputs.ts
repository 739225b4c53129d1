import { isTooDeep } from "../../json/nesting.ts";
import { createCallIds } from "../../openai/call-ids.ts";
import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { argumentsText, calledPart, createToolCalls } from "../../openai/stream/tool-calls.ts";
import type { ResponseContext } from "../../responses/response-object.ts";
import type { AnswerLoss } from "../answer-loss.ts";
import { piecesOf } from "../messages-answers/pieces.ts";
import { type CallOutput, openCall } from "./call-output.ts";
import type { Emit } from "./event-log.ts";
import { createKept } from "./kept-reasoning.ts";
import { type MessageOutput, openMessage } from "./message-output.ts";
import type { OpenOutput, OutputPlace, OutputStatus } from "./open-output.ts";
import { openReasoning, type ReasoningOutput } from "./reasoning-output.ts";

/** Turns the deltas of one choice into items of the output, one after the other but for calls. */
export function createOutputs(context: ResponseContext, emit: Emit) {
  const seed = context.id.replace(/^resp_/, "");
  const identities = createToolCalls(createCallIds(seed));
  const done = new Map<number, JsonObject>();
  const calls = new Map<number, CallOutput>();
  const kept = createKept(context);
  const place = createPlaces(seed);
  const seal = () => kept.seal();
  const loss = reportLoss(context);
  const close = (output: OpenOutput, status: OutputStatus): void => {
    done.set(output.output_index, output.close(status));
  };
  const talk = createTalk({ emit, place, close, seal });

  function call(fragment: JsonObject): void {
    const { index, id, name } = identities.place(fragment);
    let open = calls.get(index);
    // Nobody could run what has no name.
    if (!open && name === "") return loss("tool_calls");
    if (!open) {
      talk.end("completed");
      const tool = context.tools.get(name) ?? { kind: "function", name, namespace: null };
      open = openCall(place(tool.kind === "custom" ? "ctc" : "fc"), emit, { call_id: id, tool });
      calls.set(index, open);
    }
    kept.addExtra(id, fragment["extra_content"]);
    open.push(argumentsText(calledPart(fragment)));
  }

  return {
    write({ delta: given, logprobs }: JsonObject): void {
      const delta = objectOf(given);
      kept.addDetails(delta["reasoning_details"]);
      let scores = logprobList(logprobs);
      for (const piece of piecesOf(delta, loss)) {
        if (piece.kind === "thinking") talk.reasoning().push(piece.text);
        else if (piece.kind === "refusal") talk.message().refusal(piece.text);
        else if (piece.kind === "call") call(piece.call);
        else if (piece.kind === "text") {
          talk.message().text(piece.text, scores);
          scores = [];
        }
      }
      for (const note of citations(delta["annotations"])) talk.message().annotate(note);
    },

    /** Ends whatever is open, in the order of the output. */
    end(status: OutputStatus): void {
      talk.end(status);
      for (const open of calls.values()) close(open, status);
      if (kept.isOpen()) close(openReasoning(place("rs"), emit, seal), status);
    },

    /** The items so far; those not yet done with the status given. */
    list(status: OutputStatus): readonly JsonObject[] {
      const open = [...talk.open(), ...calls.values()]
        .filter(({ output_index }) => !done.has(output_index))
        .map((output) => [output.output_index, output.sofar(status)] as const);
      return [...done, ...open].toSorted(([a], [b]) => a - b).map(([, item]) => item);
    },
  };
}

/** What the pieces of a delta leave out and an item has room for. */
const KEPT = /^(?:annotations|reasoning_details)/;

function reportLoss({ onLoss }: ResponseContext) {
  return (name: AnswerLoss): void => {
    if (!KEPT.test(name)) onLoss?.(name);
  };
}

/** Places in the order they are taken, with ids that begin with the prefix of their kind. */
function createPlaces(seed: string) {
  let output_index = 0;
  return (prefix: string): OutputPlace => ({
    output_index,
    id: `${prefix}_${seed}_${output_index++}`,
  });
}

interface TalkDependencies {
  readonly emit: Emit;
  readonly place: (prefix: string) => OutputPlace;
  readonly close: (output: OpenOutput, status: OutputStatus) => void;
  readonly seal: () => string | undefined;
}

/** What the model thinks and says, one item at a time. */
function createTalk({ emit, place, close, seal }: TalkDependencies) {
  let open: ReasoningOutput | MessageOutput | undefined;

  function end(status: OutputStatus): void {
    if (open) close(open, status);
    open = undefined;
  }

  return {
    end,
    open: (): readonly OpenOutput[] => (open ? [open] : []),
    reasoning(): ReasoningOutput {
      if (open?.kind === "reasoning") return open;
      end("completed");
      const fresh = openReasoning(place("rs"), emit, seal);
      open = fresh;
      return fresh;
    },
    message(): MessageOutput {
      if (open?.kind === "message") return open;
      end("completed");
      const fresh = openMessage(place("msg"), emit);
      open = fresh;
      return fresh;
    },
  };
}

function logprobList(logprobs: unknown): readonly JsonObject[] {
  const list = arrayOf(objectOf(logprobs)["content"]).filter(isObject);
  return isTooDeep(list) ? [] : list;
}

/** Chat wraps a citation in a member named like its type. */
function citations(annotations: unknown): readonly JsonObject[] {
  return arrayOf(annotations)
    .map(objectOf)
    .filter((annotation) => isFilledText(annotation["type"]) && !isTooDeep(annotation))
    .map(flatCitation);
}

function flatCitation({ type, ...rest }: JsonObject): JsonObject {
  return { type, ...rest, ...objectOf(rest[String(type)]) };
}
