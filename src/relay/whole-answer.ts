import { inboundHeaders } from "../upstream/inbound-headers.ts";
import { scanFor } from "./answer-scan.ts";
import { shapeOf } from "./answer-shape.ts";
import type { AttemptResult, JsonResult } from "./attempt-result.ts";
import type { Answering } from "./attempt.ts";
import { failureOfFault, oversized, unanswered } from "./blame.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { jsonAnswer } from "./json-answer.ts";
import { streamedAsJson } from "./streamed-answer.ts";

/** Reads an answer to its end and judges it as one, before any of it is sent. */
export async function wholeAnswer(
  { clock, onFault }: Pick<RelayDependencies, "clock" | "onFault">,
  { reader, response, wire, input, attempting }: Answering,
): Promise<AttemptResult> {
  const { run, instance, scrutiny } = input;
  const read = await reader.readAll(run.settings.max_answer_bytes);
  if (read.kind === "stopped") return unanswered(read.stop);
  if (read.kind === "broken") return { kind: "failed", failure: failureOfFault(read.error) };
  if (read.kind === "too_large") return oversized("max_answer");
  const context = {
    run,
    instance,
    window_tokens: input.candidate.window_tokens,
    response,
    wire,
    attempting,
    scan: scanFor(input, onFault),
    rescues: scrutiny.verify === "rescue",
    now: clock.now(),
  };
  const judged =
    shapeOf(read.bytes, response.headers) === "sse"
      ? streamedAsJson(read.bytes, context)
      : jsonAnswer(read.bytes, context);
  if (judged.kind === "failed") return judged;
  if (run.stream) attempting.firstToken();
  const { answer } = judged;
  const serve = (): JsonResult => {
    attempting.serve();
    return { kind: "json", answer, headers: inboundHeaders(response.headers) };
  };
  if (judged.kind === "doubtful") {
    attempting.reject(judged.failure);
    return { ...judged, serve, drop: () => undefined };
  }
  attempting.succeed(answer.kind);
  return serve();
}
