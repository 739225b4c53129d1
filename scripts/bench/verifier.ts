/**
 * What judging answers adds to a request: time to the first content and to the end, with the verifier
 * on, off, and held back, all by the same binary, in interleaved rounds; `--baseline FILE` adds another
 * binary. Medians over the rounds; only differences within a row say something. A second router with the
 * verifier off shows how far two equal ones differ: where that is too much to tell, the rounds are repeated.
 * `bun scripts/bench/verifier.ts [--rounds N] [--requests N] [--connections N] [--tries N] [--baseline FILE]`
 */
import { parseArgs } from "node:util";

import { BINARY, play, type Server, startRouter } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    requests: { type: "string", default: "1000" },
    connections: { type: "string", default: "1" },
    tries: { type: "string", default: "5" },
    binary: { type: "string", default: BINARY },
    baseline: { type: "string" },
  },
});

const profile = (lines: string) =>
  `[profiles.bench]\n${lines}\n[routing]\ndefault_profile = "bench"\n`;

/** Milliseconds to the first token that judging may add, and that equal routers may differ by. */
const WANTED = 0.2;
const QUIET = 0.05;

const upstream = await play("upstream");
const startOff = () =>
  startRouter(upstream.url, { binary: values.binary, config: profile('verify = "off"') });
const routers = new Map<string, Server>([
  ["off", await startOff()],
  ["off again", await startOff()],
  ["on", await startRouter(upstream.url, { binary: values.binary })],
  [
    "held back",
    await startRouter(upstream.url, { binary: values.binary, config: profile("hold_back = true") }),
  ],
]);
if (values.baseline !== undefined) {
  routers.set("baseline", await startRouter(upstream.url, { binary: values.baseline }));
}

interface Times {
  readonly first: number[];
  readonly whole: number[];
}

async function ask({ url }: Server, stream: boolean, { first, whole }: Times): Promise<void> {
  const began = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "bench:m",
      stream,
      messages: [{ role: "user", content: "Tell me of the sea. ".repeat(100) }],
    }),
    proxy: false,
  });
  let isFirst = true;
  for await (const _ of response.body ?? []) {
    if (isFirst) first.push(performance.now() - began);
    isFirst = false;
  }
  whole.push(performance.now() - began);
  if (!response.ok) throw new Error(`status ${response.status}`);
}

/** Milliseconds: medians of one round. */
async function round(server: Server, stream: boolean) {
  const times: Times = { first: [], whole: [] };
  const workers = Array.from({ length: Number(values.connections) }, async () => {
    const count = Number(values.requests) / Number(values.connections);
    for (let n = 0; n < count; n++) await ask(server, stream, times);
  });
  await Promise.all(workers);
  return { first: median(times.first), whole: median(times.whole) };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** By router: the medians of its rounds. */
async function measure(stream: boolean): Promise<Map<string, Times>> {
  const rounds = new Map(
    [...routers.keys()].map((name) => [name, { first: [], whole: [] }] as [string, Times]),
  );
  for (const server of routers.values()) await round(server, stream);
  for (let n = 0; n < Number(values.rounds); n++) {
    for (const [name, server] of routers) {
      const { first, whole } = await round(server, stream);
      rounds.get(name)?.first.push(first);
      rounds.get(name)?.whole.push(whole);
    }
  }
  return rounds;
}

/** What a router adds to the first token: the median over rounds of its difference from the one without. */
function added(rounds: ReadonlyMap<string, Times>, name: string): number {
  const off = rounds.get("off")?.first ?? [];
  return median((rounds.get(name)?.first ?? []).map((own, n) => own - (off[n] ?? 0)));
}

function print(kind: string, rounds: ReadonlyMap<string, Times>): void {
  const off = rounds.get("off") ?? { first: [], whole: [] };
  for (const [name, { first, whole }] of rounds) {
    const cells = [
      [median(first), median(off.first)],
      [median(whole), median(off.whole)],
    ].map(([own = 0, base = 1]) => `${signed(own - base)}, ×${(own / base).toFixed(3)}`);
    console.log(
      `${kind}, ${name}: first ${median(first).toFixed(3)} ms (${cells[0]}), end ${median(whole).toFixed(3)} ms (${cells[1]})`,
    );
  }
}

const signed = (number: number) => (number < 0 ? "" : "+") + number.toFixed(3);

/** Measures until equal routers are as good as equal, or the tries are used up. */
async function compare(stream: boolean): Promise<void> {
  const kind = stream ? "stream of 50 chunks" : "whole, 900 characters";
  for (let left = Number(values.tries); left > 0; left--) {
    const rounds = await measure(stream);
    print(kind, rounds);
    const noise = added(rounds, "off again");
    if (Math.abs(noise) > QUIET) {
      console.log(`${kind}: two equal routers differ by ${signed(noise)} ms: too busy to tell`);
      continue;
    }
    const cost = added(rounds, "on");
    console.log(
      `${kind}: judging adds ${signed(cost)} ms to the first token, ${cost <= WANTED ? "within" : "ABOVE"} ` +
        `the ${WANTED} ms wanted; two equal routers differ by ${signed(noise)} ms`,
    );
    return;
  }
  console.log(`${kind}: no verdict, the machine was never quiet`);
}

try {
  await compare(false);
  await compare(true);
} finally {
  await Promise.all([upstream, ...routers.values()].map((server) => server.stop()));
}
