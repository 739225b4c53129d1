import { parseSpec } from "../../../src/address/spec.ts";
import { createFramer } from "../../../src/protocol/sse/framer.ts";
import { makePlan } from "../../../src/routing/make-plan.ts";
import { createEventHub } from "../../../src/telemetry/hub.ts";
import { PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { charsetProfile } from "../../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";
import { attemptEvent, requestEvent } from "../../../test/support/events.ts";
import { ANSWER, DELTAS, FRAMES, requestBody } from "../rig/payloads.ts";
import { createDefaultSinks } from "./default-sinks.ts";
import { createPlanWorld } from "./plan-world.ts";

export interface Case {
  /** What one call does. */
  readonly what: string;
  /** Most that a call may take, in µs; null where nothing was promised. */
  readonly wanted_us: number | null;
  /** With everything ready that a running server has ready. */
  readonly prepare: () => Step;
}

export interface Step {
  readonly call: () => unknown;
  /** Comes before each call and is not measured. */
  readonly before?: () => void;
  /** How much of what is measured one call does; 1 if left out. */
  readonly steps?: number;
}

/** The first is what the others are compared with. */
export const CASES: readonly Case[] = [
  {
    what: "JSON.parse of an answer",
    wanted_us: null,
    prepare: () => ({ call: () => JSON.parse(ANSWER) }),
  },
  { what: "event to all default sinks", wanted_us: 1, prepare: dispatch },
  { what: "what an event leaves for later", wanted_us: null, prepare: afterwards },
  ...[10, 100, 1000].map((targets) => ({
    what: `plan for ${targets} targets`,
    wanted_us: targets === 10 ? 10 : null,
    prepare: () => ({ call: plan(targets) }),
  })),
  {
    what: `judge an answer of ${DELTAS} deltas`,
    wanted_us: null,
    prepare: () => ({ call: judge() }),
  },
  {
    what: `cut a stream of ${FRAMES.length} frames`,
    wanted_us: null,
    prepare: () => ({ call: cut() }),
  },
  { what: "read a spec", wanted_us: null, prepare: () => ({ call: readSpec() }) },
];

/** Events between two looks at what was left for later. */
const BURST = 100;

/** Attempts and requests in turn, as they come. */
function dispatch(): Step {
  const { burst, later } = createBursts();
  return { before: later, call: burst, steps: BURST };
}

function afterwards(): Step {
  const { burst, later } = createBursts();
  return { before: burst, call: later, steps: BURST };
}

function createBursts() {
  const hub = createEventHub();
  const { sinks, later } = createDefaultSinks();
  for (const sink of sinks) hub.register(sink);
  const events = Array.from({ length: BURST }, (_, n) =>
    n % 2 === 0 ? attemptEvent() : requestEvent(),
  );
  return { burst: () => events.forEach((event) => hub.emit(event)), later };
}

const prompt: Readonly<Record<string, unknown>> = JSON.parse(requestBody("burst", 2000));

function plan(targets: number): () => unknown {
  const instances = Math.min(10, targets);
  const world = createPlanWorld({
    instances,
    models: targets / instances,
    benched_every: Infinity,
  });
  const request = {
    block: {},
    body: prompt,
    dialect: "chat",
    session: null,
    key_profile: null,
  } as const;
  return () => makePlan({ ...request, model: "pool:priority", world: world() });
}

function judge(): () => unknown {
  const deltas = Array.from({ length: DELTAS }, (_, n) => ` day ${n} was calm;`);
  return () => {
    const scanner = createScanner({
      prompt: charsetProfile(prompt),
      request: readRequestFacts(prompt),
    });
    for (const delta of deltas) scanner.push(delta);
    return scanner.end({ ...PLAIN_ANSWER, finish: "stop" });
  };
}

/** Each frame in a chunk of its own, as tokens come. */
function cut(): () => unknown {
  const chunks = FRAMES.map((frame) => new TextEncoder().encode(frame));
  return () => {
    const framer = createFramer({ max_frame: 1024 ** 2 });
    let frames = 0;
    for (const chunk of chunks) frames += framer.push(chunk).frames.length;
    return frames;
  };
}

function readSpec(): () => unknown {
  return () => parseSpec("openrouter:z-ai/glm-5.3-flash?temperature=0.2&max_tokens=4096#eu");
}
