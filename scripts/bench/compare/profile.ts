import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { httpRequest, requestBody } from "../rig/payloads.ts";
import { connect } from "../rig/wire-client.ts";
import { type Ground, router, startContestant } from "./contestants.ts";
import { good } from "./latency.ts";

const MAIN = join(import.meta.dir, "..", "..", "..", "src", "main.ts");
const SHOWN = 30;
const CONNECTIONS = 10;

/** The parts of a `.cpuprofile` that self time is worked out from. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Runs the router from source under load, whole answers and then streams, and prints where its time went. */
export async function printProfile(
  ground: Ground,
  { scratch, seconds }: { readonly scratch: string; readonly seconds: number },
): Promise<void> {
  for (const kind of ["whole", "burst"] as const) {
    const folder = join(scratch, `profile-${kind}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { name, headers, launch } = router({ name: "source", binary: MAIN }, ground);
    const words: typeof launch.words = (place) => [
      process.execPath,
      "--cpu-prof",
      `--cpu-prof-dir=${folder}`,
      "--cpu-prof-interval=200",
      ...launch.words(place),
    ];
    // Its own start anew would leave the profiler behind.
    const env = { ...launch.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "65535" };
    const running = await startContestant({ name, headers, launch: { ...launch, words, env } });
    const request = httpRequest(requestBody(kind, 2000), headers);
    const end = performance.now() + seconds * 1000;
    const work = async () => {
      const client = await connect(running.url);
      while (performance.now() < end) good(await client.ask(request), name);
      client.close();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    await running.stop();
    for (const file of readdirSync(folder)) printTop(join(folder, file), kind);
  }
}

function printTop(file: string, kind: string): void {
  const profile: CpuProfile = JSON.parse(readFileSync(file, "utf8"));
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || "(anonymous)"}  ${url.replace(/^.*?(src|node_modules)\//, "$1/")}:${lineNumber + 1}`,
    ]),
  );
  const self = new Map<string, number>();
  let total = 0;
  for (const [at, id] of profile.samples.entries()) {
    const name = names.get(id) ?? "?";
    const time = profile.timeDeltas[at] ?? 0;
    total += time;
    self.set(name, (self.get(name) ?? 0) + time);
  }
  console.log(`\nself time, ${kind}, ${(total / 1e6).toFixed(1)} s sampled (${file})`);
  const top = [...self].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
  for (const [name, time] of top) {
    console.log(`  ${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
  }
}
