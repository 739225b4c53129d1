import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { onCore } from "../rig/cores.ts";
import { PATH } from "../rig/payloads.ts";

export interface WrkRun {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export interface Wrk {
  /** Throws if anything but 2xx came back: the figures would be about errors. */
  run(run: WrkRun): Promise<WrkResult>;
}

interface WrkDependencies {
  readonly program: string;
  readonly scratch: string;
  readonly core: number | null;
}

export function createWrk({ program, scratch, core }: WrkDependencies): Wrk {
  return {
    async run(run) {
      const script = join(scratch, "wrk.lua");
      writeFileSync(script, luaScript(run));
      const { url, connections, seconds } = run;
      const words = [program, "-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url + PATH];
      const child = Bun.spawn(onCore(core, words), { stdout: "pipe", stderr: "pipe" });
      const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      await child.exited;
      return readReport(output, `${url}: ${output}${complaint}`);
    },
  };
}

/** One request over and over, and the summary as a line of JSON. */
function luaScript({ body, headers }: WrkRun): string {
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(
    ([name, value]) => `wrk.headers[ ${luaText(name)} ] = ${luaText(value)}`,
  );
  return `wrk.method = "POST"
wrk.body = ${luaText(body)}
${lines.join("\n")}
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('BENCH {"requests":%d,"us":%d,"bad":%d,"p50":%.1f,"p99":%.1f}\\n',
    summary.requests, summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

/** As a long bracket that the text cannot end. */
const luaText = (text: string): string => `[==[${text}]==]`;

function readReport(output: string, whole: string): WrkResult {
  const line = /^BENCH (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk gave no report: ${whole}`);
  const { requests, us, bad, p50, p99 } = JSON.parse(line);
  if (bad > 0 || requests === 0) throw new Error(`wrk had ${bad} bad answers: ${whole}`);
  return { per_second: requests / (us / 1e6), p50_ms: p50 / 1000, p99_ms: p99 / 1000 };
}
