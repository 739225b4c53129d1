import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { tempDir } from "../temp-dir.ts";

interface AgentRun {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files below its home, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** It is killed then; 50 s if left out. */
  readonly limit_ms?: number;
}

export interface AgentEnd {
  /** Null if it was killed at its limit. */
  readonly code: number | null;
  /** Standard output and error, one after the other, without colours. */
  readonly output: string;
}

/** An agent that asks for ever must not do so here. */
const LONGEST_MS = 50_000;

/** Runs an agent in an empty home and working directory to its end; `$HOME` in `env` is that home. */
export async function runAgent({
  command,
  env,
  files,
  limit_ms = LONGEST_MS,
}: AgentRun): Promise<AgentEnd> {
  using home = tempDir();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(home.file(path)), { recursive: true });
    writeFileSync(home.file(path), text);
  }
  mkdirSync(home.file("work"));
  const own = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll("$HOME", home.path),
  ]);
  const child = Bun.spawn([...command], {
    cwd: home.file("work"),
    env: { PATH: process.env["PATH"] ?? "", HOME: home.path, ...Object.fromEntries(own) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limit_ms,
    killSignal: "SIGKILL",
  });
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { code: child.signalCode === null ? code : null, output: Bun.stripANSI(out + err) };
}
