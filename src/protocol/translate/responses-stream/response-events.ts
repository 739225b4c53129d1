import { ERRORS } from "../../error-codes.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { repairFinish } from "../../openai/finish-reason.ts";
import { responseError } from "../../responses/failure.ts";
import {
  type ResponseContext,
  responseObject,
  type ResponseState,
} from "../../responses/response-object.ts";
import { responsesUsage } from "../../responses/usage.ts";
import type { StreamFailure } from "../translation.ts";
import { createEventLog, type Emit, type ResponseEvent } from "./event-log.ts";
import { createOutputs } from "./outputs.ts";

/** How far another stream of the same response had come, which a failure is to end. */
export interface ResumePoint {
  /** Of its last event; null if there was none. */
  readonly sequence_number: number | null;
  /** Null if it was never told. */
  readonly response_id: string | null;
}

/** What chunks tell beside their content. */
type About = Pick<ResponseState, "model" | "usage" | "service_tier">;

/** Turns chat chunks into the events of one response. Finish and usage are held until the end. */
export function createResponseEvents(given: ResponseContext, resume?: ResumePoint) {
  const context = { ...given, id: resume?.response_id ?? given.id };
  const log = createEventLog((resume?.sequence_number ?? -1) + 1);
  const emit: Emit = (type, fields) => log.emit(type, fields);
  const outputs = createOutputs(context, emit);
  let isStarted = (resume?.response_id ?? resume?.sequence_number ?? null) !== null;
  let about: About = { model: modelOf(given) };
  let finish: string | null = null;

  function tell(type: string, state: Omit<ResponseState, keyof About>): void {
    emit(type, { response: responseObject(context, { ...about, ...state }) });
  }

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    for (const type of ["response.created", "response.in_progress"]) {
      tell(type, { status: "in_progress", output: [] });
    }
  }

  return {
    push(chunk: JsonObject): readonly ResponseEvent[] {
      about = learned(about, chunk);
      start();
      for (const choice of arrayOf(chunk["choices"]).map(objectOf).filter(isFirst)) {
        outputs.write(choice);
        const { finish_reason: reason } = choice;
        if (isFilledText(reason)) finish = repairFinish(reason, null) ?? finish;
      }
      return log.take();
    },

    end(): readonly ResponseEvent[] {
      start();
      const reason = finish === null ? undefined : INCOMPLETE.get(finish);
      const status = reason === undefined ? "completed" : "incomplete";
      outputs.end(status);
      tell(`response.${status}`, { status, reason, output: outputs.list(status) });
      return log.take();
    },

    fail(failure: StreamFailure): readonly ResponseEvent[] {
      start();
      const error = responseError(failure);
      const output = outputs.list("incomplete");
      // SDKs throw at the first and take the second for an end like any other; Codex reads only that.
      const told = { ...error, param: failure.param ?? null };
      // Older SDKs look for a member `error`, newer ones for its parts beside `type`.
      emit("error", { ...told, error: { type: ERRORS[failure.code].type, ...told } });
      tell("response.failed", { status: "failed", error, output });
      return log.take();
    },
  };
}

function learned(about: About, chunk: JsonObject): About {
  const { model, service_tier: tier } = chunk;
  return {
    model: isFilledText(model) ? model : about.model,
    usage: responsesUsage(chunk) ?? about.usage,
    service_tier: isFilledText(tier) ? tier : about.service_tier,
  };
}

const INCOMPLETE: ReadonlyMap<string, NonNullable<ResponseState["reason"]>> = new Map([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
]);

/** A response has one answer; a request with more never came this way. */
function isFirst({ index }: JsonObject): boolean {
  return index === 0 || typeof index !== "number";
}

function modelOf({ request: { model } }: ResponseContext): string {
  return isFilledText(model) ? model : "";
}
