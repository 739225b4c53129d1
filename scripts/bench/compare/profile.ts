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
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const places = new Map<string, number>();
  let total = 0;
  for (const [at, id] of profile.samples.entries()) {
    const { functionName = "?", url = "", lineNumber = 0 } = frames.get(id) ?? {};
    const time = profile.timeDeltas[at] ?? 0;
    const path = url.replace(/^.*?\/(?=(src|node_modules)\/)/, "");
    total += time;
    count(functions, `${functionName || "(anonymous)"}  ${path}:${lineNumber + 1}`, time);
    count(places, placeOf(path), time);
  }
  console.log(`\n${kind}: ${(total / 1e6).toFixed(1)} s sampled, start included (${file})`);
  printShares("self time by function", functions, total);
  printShares("self time by folder or package", places, total);
}

/** `src/relay`, a package's name, or what has no file: the engine and the runtime. */
function placeOf(path: string): string {
  const [top = "", ...rest] = path.split("/");
  if (top === "src") return rest.length > 1 ? `src/${rest[0]}` : "src";
  if (top !== "node_modules") return "native";
  return rest.slice(0, rest[0]?.startsWith("@") === true ? 2 : 1).join("/");
}

function count(shares: Map<string, number>, name: string, time: number): void {
  shares.set(name, (shares.get(name) ?? 0) + time);
}

function printShares(title: string, shares: ReadonlyMap<string, number>, total: number): void {
  console.log(`  ${title}`);
  const top = [...shares].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
  for (const [name, time] of top) {
    console.log(`  ${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
  }
}
