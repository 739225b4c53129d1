/**
 * What judging answers adds to a request: time to the first content and to the end, with the verifier
 * on, off, and held back, all by the same binary, in interleaved rounds; `--baseline FILE` adds another
 * binary. Medians over the rounds; only differences within a row say something.
 * `bun scripts/bench/verifier.ts [--rounds N] [--requests N] [--connections N] [--baseline FILE]`
 */
import { parseArgs } from "node:util";

import { BINARY, play, type Server, startRouter } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    requests: { type: "string", default: "1000" },
    connections: { type: "string", default: "1" },
    binary: { type: "string", default: BINARY },
    baseline: { type: "string" },
  },
});

const profile = (lines: string) =>
  `[profiles.bench]\n${lines}\n[routing]\ndefault_profile = "bench"\n`;

const upstream = await play("upstream");
const routers = new Map<string, Server>([
  [
    "off",
    await startRouter(upstream.url, { binary: values.binary, config: profile('verify = "off"') }),
  ],
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

async function compare(stream: boolean): Promise<void> {
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
  const off = rounds.get("off") ?? { first: [], whole: [] };
  for (const [name, { first, whole }] of rounds) {
    const cells = [
      [median(first), median(off.first)],
      [median(whole), median(off.whole)],
    ].map(([own = 0, base = 1]) => {
      const added = own - base;
      return `${own.toFixed(3)} ms (${added < 0 ? "" : "+"}${added.toFixed(3)}, ×${(own / base).toFixed(3)})`;
    });
    const kind = stream ? "stream of 50 chunks" : "whole, 900 characters";
    console.log(`${kind}, ${name}: first ${cells[0]}, end ${cells[1]}`);
  }
}

try {
  await compare(false);
  await compare(true);
} finally {
  await Promise.all([upstream, ...routers.values()].map((server) => server.stop()));
}
