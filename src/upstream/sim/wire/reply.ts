import type { JsonObject } from "../../../protocol/openai/fields.ts";
import type { Ask } from "../ask.ts";
import type { Problem } from "../errors.ts";
import type { ParamValues } from "../params.ts";
import { type Encode, encodeUtf8, encodeWindows1252 } from "../speech/encodings.ts";
import type { Delta, FinishReason, Speech } from "../speech/speech.ts";
import type { Step } from "./body.ts";
import { listen, type Said, type Tally, tallyOf, type Wire } from "./dialect.ts";
import type { TransportFault } from "./faults.ts";

/** An answer on its way: what happens before the headers, the headers, and the body step by step. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly lead: readonly Exclude<Step, { kind: "bytes" | "reset" }>[];
  readonly body: Iterator<Step>;
}

export interface Answering {
  readonly params: ParamValues;
  readonly fault: TransportFault | null;
  /** The server writes its bytes in the wrong charset. */
  readonly broken: boolean;
}

function encodeOf({ broken }: Answering): Encode {
  return broken ? encodeWindows1252 : encodeUtf8;
}

const wait = (ms: number) => (ms > 0 ? [{ kind: "wait", ms } as const] : []);

/** Nothing arrives before the headers of a `stall` that is silent from the start. */
function leadOf(fault: TransportFault | null, ms: number): Reply["lead"] {
  const silent = fault?.kind === "stall" && fault.at === "headers";
  return [...wait(ms), ...(silent ? [{ kind: "silence" } as const] : [])];
}

export function problemReply(problem: Problem, delay_ms: number): Reply {
  const bytes = encodeUtf8(problem.body);
  return { ...problem, lead: wait(delay_ms), body: steps({ kind: "bytes", bytes }) };
}

function* steps(...list: readonly Step[]): Generator<Step> {
  yield* list;
}

/** A whole answer: its headers come when it is complete, so all pacing goes before them. */
export function wholeReply(answer: JsonObject, tokens: number, how: Answering): Reply {
  const { params, fault } = how;
  const pace = params.number("tokens_per_second");
  const spent = params.number("delay") + params.number("ttft") + (pace && (tokens * 1000) / pace);
  const bytes = encodeOf(how)(
    JSON.stringify(fault?.kind === "error200" ? fault.answer(answer) : answer),
  );
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    lead: leadOf(fault, Math.round(spent)),
    body: steps(...wholeSteps(bytes, fault)),
  };
}

function wholeSteps(bytes: Uint8Array, fault: TransportFault | null): Step[] {
  const half: Step = { kind: "bytes", bytes: bytes.slice(0, Math.ceil(bytes.length / 2)) };
  switch (fault?.kind) {
    case "stall":
      return fault.at === "middle" ? [half, { kind: "silence" }] : [{ kind: "silence" }];
    case "cut":
      return fault.end === "reset" ? [half, { kind: "reset" }] : [half];
    case "broken_json":
      return [half];
    default:
      return [{ kind: "bytes", bytes }];
  }
}

/** All choices together: a longer answer would hold up everything else in the process. */
const MAX_WHOLE_TOKENS = 2_000_000;

/** A chat or completions answer in the form the client asked for. */
export function spokenReply(wire: Wire, said: readonly Speech[], how: Answering & { ask: Ask }) {
  if (how.ask.stream) return streamReply(wire, said, how);
  const choices: readonly Said[] = said.map((speech) =>
    listen(speech, MAX_WHOLE_TOKENS / said.length),
  );
  const longest = Math.max(0, ...choices.map(({ tokens }) => tokens.output));
  return wholeReply(wire.whole(choices), longest, how);
}

function streamReply(wire: Wire, said: readonly Speech[], how: Answering & { ask: Ask }): Reply {
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    lead: leadOf(how.fault, how.params.number("delay")),
    body: streamSteps(wire, said, how),
  };
}

/** One choice of a stream that has not ended yet. */
interface Voice {
  readonly choice: number;
  readonly speech: Speech;
}

const DONE = "data: [DONE]\n\n";
const frame = (chunk: JsonObject) => `data: ${JSON.stringify(chunk)}\n\n`;

function* streamSteps(
  wire: Wire,
  said: readonly Speech[],
  how: Answering & { ask: Ask },
): Generator<Step> {
  const { ask, params, fault } = how;
  const encode = encodeOf(how);
  const send = (text: string): Step => ({ kind: "bytes", bytes: encode(text) });
  const pace = params.number("tokens_per_second");
  let tally: Tally = { output: 0, reasoning: 0 };
  for (const choice of said.keys()) {
    const opening = wire.opening(choice);
    if (opening !== null) yield send(frame(opening));
  }
  yield* wait(params.number("ttft"));
  for (const round of rounds(said)) {
    if (fault !== null && (round.ending || tally.output >= fault.after)) {
      yield* fail(fault, { wire, send, round });
      return;
    }
    if (tally.output > 0) yield* wait(pace && 1000 / pace);
    for (const turn of round.turns) {
      if (turn.kind === "delta") tally = tallyOf(tally, turn.delta);
      yield send(frame(chunkOf(wire, turn)));
    }
  }
  if (ask.include_usage) yield send(frame(wire.usage(tally)));
  yield send(DONE);
}

/** What one choice contributes to a round. */
type Turn =
  | { readonly kind: "delta"; readonly choice: number; readonly delta: Delta }
  | { readonly kind: "ending"; readonly choice: number; readonly finish: FinishReason };

interface Round {
  readonly turns: readonly Turn[];
  /** Nothing but endings: the answer is over. */
  readonly ending: boolean;
}

/** Choices speak in turn, a token each, until all have ended. */
function* rounds(said: readonly Speech[]): Generator<Round> {
  let voices: readonly Voice[] = said.map((speech, choice) => ({ speech, choice }));
  while (voices.length > 0) {
    const turns = voices.map(({ speech, choice }): Turn => {
      const next = speech.next();
      return next.done === true
        ? { kind: "ending", choice, finish: next.value }
        : { kind: "delta", choice, delta: next.value };
    });
    voices = voices.filter((_, index) => turns[index]?.kind === "delta");
    yield { turns, ending: voices.length === 0 };
  }
}

function chunkOf(wire: Wire, turn: Turn): JsonObject {
  return turn.kind === "delta"
    ? wire.delta(turn.choice, turn.delta)
    : wire.ending(turn.choice, turn.finish);
}

interface Scene {
  readonly wire: Wire;
  readonly send: (text: string) => Step;
  readonly round: Round;
}

/** How a stream goes wrong in place of `round`. */
function* fail(fault: TransportFault, { wire, send, round }: Scene): Generator<Step> {
  switch (fault.kind) {
    case "stall":
      yield { kind: "silence" };
      return;
    case "cut":
      if (fault.end === "reset") yield { kind: "reset" };
      if (fault.end === "done") yield send(DONE);
      return;
    case "broken_json": {
      const [turn] = round.turns;
      const whole = turn === undefined ? "data: {" : frame(chunkOf(wire, turn));
      yield send(`${whole.slice(0, Math.ceil(whole.length / 2))}\n\n`);
      yield send(DONE);
      return;
    }
    case "error200":
      yield send(frame(fault.event(wire.ending(0, "error"))));
      yield send(DONE);
  }
}
