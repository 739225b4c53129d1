import { targetKey } from "../address/target.ts";
import { expandAnswer } from "../protocol/openai/expand.ts";
import { inboundHeaders } from "../upstream/inbound-headers.ts";
import type { AttemptInput, AttemptResult } from "./attempt.ts";
import type { Attempting } from "./attempting.ts";
import { failureOfFault, failureOfStop, malformed } from "./blame.ts";
import { type BodyReader, readAll } from "./body-reader.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { jsonAnswer } from "./json-answer.ts";

interface Opened {
  readonly reader: BodyReader;
  readonly response: Response;
  readonly input: AttemptInput;
  readonly attempting: Attempting;
}

/** A JSON answer that came although a stream was asked for, as the stream the client can read. */
export async function streamOfJson(
  { settings, clock }: RelayDependencies,
  { reader, response, input, attempting }: Opened,
): Promise<AttemptResult> {
  const { run, instance, candidate } = input;
  const limits = { idle_ms: instance.timeouts.idle_ms, max_bytes: settings().max_answer_bytes };
  const read = await readAll(reader, limits);
  if (read.kind === "stopped") return failureOfStop(read.stop);
  if (read.kind === "broken") return { kind: "failed", failure: failureOfFault(read.error) };
  if (read.kind === "too_large") return malformed("the answer exceeds `routing.max_answer`");
  const judged = jsonAnswer(read.bytes, { run, instance, response, clock });
  if (judged.kind === "failed") return judged;

  const dialect = run.request.dialect === "completions" ? "completions" : "chat";
  const text = expandAnswer(judged.answer.body, { dialect, include_usage: run.wants_usage });
  run.entry.edit("json_to_sse");
  run.entry.serve(targetKey(candidate.member));
  attempting.firstToken();
  attempting.succeed(judged.answer);
  async function* source() {
    run.entry.finish({ status: 200, outcome: "ok" });
    yield await Promise.resolve(new TextEncoder().encode(text));
  }
  return { kind: "stream", source: source(), headers: inboundHeaders(response.headers) };
}
