import { answerReader } from "./answer-reader.ts";
import { type AnswerScan, scanFor } from "./answer-scan.ts";
import type { AttemptResult } from "./attempt-result.ts";
import type { Answering } from "./attempt.ts";
import { failureOfPreamble } from "./blame.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { followStream } from "./follow-stream.ts";
import { judgedByStart, outputFault, SAID_NOTHING } from "./judgement.ts";
import { createConsumer } from "./stream-consumer.ts";
import { openStream } from "./stream-opening.ts";

/** Opens an event stream up to what may go to the client, or to why nothing of it should. */
export async function eventStream(
  dependencies: RelayDependencies,
  { reader, response, input, attempting, wire }: Answering,
): Promise<AttemptResult> {
  const { run, candidate, scrutiny } = input;
  const { clock, health } = dependencies;
  const { ignored_signatures } = run.settings;
  const scan = scanFor(input, dependencies.onFault);
  const onHost = attempting.answeredBy;
  const consumer = createConsumer({
    reader: (onText) => answerReader(run, wire, { ...(onText && { onText }), onHost }),
    max_frame: run.settings.max_frame_bytes,
    ...(scan && { onText: scan.push }),
  });

  /** Whether the start, or who sends it, looks bad enough for the client to wait for more of it. */
  function isSuspect({ suspicion }: AnswerScan): boolean {
    if (scrutiny.hold_back || health.signatures.isSuspected(candidate.member)) return true;
    const verdict = suspicion();
    return verdict !== null && outputFault(judgedByStart(verdict), ignored_signatures) !== null;
  }

  const opening = await openStream({
    reader,
    consumer,
    elapsed: () => clock.elapsed(),
    waitFor() {
      attempting.firstToken();
      attempting.watch.disarm("first_token_timeout");
      const rescues = scan !== null && scrutiny.verify === "rescue";
      return rescues && isSuspect(scan) ? scan.isStartKnown : null;
    },
  });
  if (opening.kind === "preamble_too_long") {
    reader.cancel();
    attempting.used(consumer.facts().usage);
    if (scan !== null) attempting.judged(SAID_NOTHING);
    return failureOfPreamble();
  }
  const stream = { facts: consumer.facts, choices: consumer.choices };
  return followStream(opening, {
    reader,
    consumer,
    stream,
    scan,
    input,
    attempting,
    dependencies,
    response,
  });
}
