import { seededRandom } from "../../src/lib/random.ts";
import type { Decision } from "../../src/routing/decision.ts";
import { type Behaviour, failing, fine, refusing } from "./behaving-fleet.ts";
import { observe } from "./observe.ts";
import { rawChat, rawClient } from "./raw-client.ts";
import { chat, provider } from "./router.ts";
import { chunk, completion, type ScriptedUpstream, scriptedUpstream } from "./scripted-upstream.ts";
import { until } from "./until.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const SAMPLES = 20;
export const MAX_ATTEMPTS = 3;

const BEHAVIOURS: readonly Behaviour[] = [
  fine,
  fine,
  failing,
  refusing(429, { message: "slow down" }, { "retry-after": "4" }),
  (wire) => wire.reset(),
  (wire) => wire.json(completion("")),
  (wire) => {
    wire.sse();
    wire.write(chunk({ role: "assistant" }) + chunk({ content: "half" }));
    wire.end();
  },
];

/** An upstream that answers nothing until it is told to. */
interface HeldUpstream extends Disposable {
  readonly name: string;
  readonly upstream: ScriptedUpstream;
  /** Requests that arrived and have no answer yet. */
  waiting(): number;
  /** Answers this many of them, each in a way of its own. */
  answer(count: number): void;
}

export interface FlappingFleet extends Disposable {
  /** Sections of the config: instances, and a pool of them all. */
  readonly config: string;
  readonly members: readonly HeldUpstream[];
}

export function flappingFleet(seed: number): FlappingFleet {
  const random = seededRandom(seed);
  const members = NAMES.map((name) => heldUpstream(name, random));
  const targets = NAMES.map((name) => `"${name}:m"`).join(", ");
  return {
    config: [
      ...members.map(({ name, upstream }) => provider(name, upstream.base_url)),
      `[pools.main]\nstrategy = "round_robin"\ntargets = [${targets}]\n`,
      `[routing]\nmax_attempts = ${MAX_ATTEMPTS}\n`,
      // Benches for what answers look like would leave too few targets for a storm.
      '[verifier]\nmode = "observe"\n',
    ].join(""),
    members,
    [Symbol.dispose]: () => members.forEach((member) => member[Symbol.dispose]()),
  };
}

function heldUpstream(name: string, random: () => number): HeldUpstream {
  const held: ((behaviour: Behaviour) => void)[] = [];
  const upstream = scriptedUpstream((wire, { body }) => {
    const stream = new TextDecoder().decode(body).includes('"stream":true');
    held.push((behaviour) => behaviour(wire, stream));
  });
  return {
    name,
    upstream,
    waiting: () => held.length,
    answer(count) {
      for (const release of held.splice(0, count)) {
        release(BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] ?? fine);
      }
    },
    [Symbol.dispose]: () => upstream[Symbol.dispose](),
  };
}

/** What was seen of a storm of requests. */
interface Storm {
  /** In flight per target at each sample: what the router says, and what the upstreams count. */
  readonly samples: readonly { readonly reported: number[]; readonly counted: number[] }[];
  /** In flight when all was over. */
  readonly left: readonly number[];
  /** Decision of each request. */
  readonly decisions: readonly Decision[];
  /** Requests that arrived upstream. */
  readonly calls: number;
}

interface StormInput {
  readonly url: string;
  readonly fleet: FlappingFleet;
  readonly requests: number;
  /** Called between two samples. */
  readonly between?: () => void;
}

/** Sends all requests at once, half of them streams, and lets the answers through bit by bit. */
export async function storm({ url, fleet, requests, between }: StormInput): Promise<Storm> {
  const { members } = fleet;
  const observer = observe({ url });
  const counted = () => members.map((member) => member.waiting());
  const reported = async () => {
    const health = await observer.health();
    return NAMES.map((name) => health.find(({ target }) => target === `${name}:m`)?.in_flight ?? 0);
  };
  /** Every open request waits for an upstream: nothing moves, so that two counts can be compared. */
  const atRest = () => until(async () => (await observer.inFlight()) === sum(counted()));

  const asked = Array.from({ length: requests }, (_, n) => ask(url, n % 2 === 0));
  await until(() => sum(counted()) === requests);
  const samples: { reported: number[]; counted: number[] }[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await atRest();
    samples.push({ reported: await reported(), counted: counted() });
    for (const one of members) one.answer(Math.ceil(one.waiting() / (SAMPLES - sample)));
    between?.();
  }
  await until(async () => {
    for (const one of members) one.answer(one.waiting());
    return (await observer.inFlight()) === 0;
  });
  const ids = await Promise.all(asked);
  return {
    samples,
    left: await reported(),
    decisions: await Promise.all([...new Set(ids)].map((id) => observer.decision(id))),
    calls: sum(members.map(({ upstream }) => upstream.requests.length)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Sends a request on a connection of its own; returns the id of its decision once all of it is there. */
async function ask(url: string, stream: boolean): Promise<string> {
  const client = await rawClient(url);
  client.write(rawChat(chat("pool:main", { stream }), { connection: "close" }));
  await client.closed;
  return /x-veriroute-decision: (\S+)/i.exec(client.received())?.[1] ?? "none";
}
