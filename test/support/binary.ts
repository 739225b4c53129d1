import { dirname, join } from "node:path";

import type { Subprocess } from "bun";

import { SHIFT_ENVIRONMENT } from "./shifted-clock.ts";

const root = dirname(dirname(import.meta.dir));
let built: string | undefined;

/** The compiled binary: `VERIROUTE_BINARY`, else `dist/veriroute`, built anew if a source is newer. */
export function binaryPath(): string {
  built ??= process.env["VERIROUTE_BINARY"] ?? build();
  return built;
}

function build(): string {
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, join(root, "scripts", "build.ts"), "--if-stale"],
    { env: process.env, stdout: "ignore" },
  );
  if (exitCode !== 0) throw new Error(`the binary cannot be built: ${stderr.toString()}`);
  return join(root, "dist", "veriroute");
}

export interface RunOptions {
  /** The whole environment of the process, but for what shifts its clock when the suite runs shifted. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  /** Runs this copy instead. */
  readonly binary?: string;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the binary to its end. */
export function runBinary(args: readonly string[], options: RunOptions): Promise<RunResult> {
  return startProgram(args, options).ended;
}

export interface StartedProgram {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<RunResult>;
}

/** Runs a command of the binary that is ended from outside, perhaps. */
export function startProgram(args: readonly string[], options: RunOptions): StartedProgram {
  const child = Bun.spawn([options.binary ?? binaryPath(), ...args], {
    env: { ...SHIFT_ENVIRONMENT, ...options.env },
    cwd: options.cwd,
    stdin: new Blob([options.input ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const end = async () => {
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  };
  return { kill: (signal) => child.kill(signal), ended: end() };
}

export interface RunningBinary extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<number>;
  /** What it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Settles once either output matches; rejects if the process ends before. */
  readonly saw: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (name: NodeJS.Signals) => void;
}

const LISTENING = /listens on (http:\/\/\S+)/;

/** Starts `serve` on a free port and waits until it listens; the end of the scope kills it. */
export async function startBinary(
  args: readonly string[],
  options: RunOptions,
): Promise<RunningBinary> {
  const child = Bun.spawn([options.binary ?? binaryPath(), "serve", "--port", "0", ...args], {
    env: { ...SHIFT_ENVIRONMENT, ...options.env },
    cwd: options.cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = watch(child.stdout);
  const stderr = watch(child.stderr);
  const saw = (pattern: RegExp) => seen(pattern, { stdout, stderr, child });
  const [, url = ""] = await saw(LISTENING);
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    saw,
    signal: (name) => child.kill(name),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

interface Output {
  text: string;
  readonly ended: Promise<void>;
  /** Called after every chunk. */
  readonly listeners: Set<() => void>;
}

function watch(stream: ReadableStream<Uint8Array>): Output {
  const listeners = new Set<() => void>();
  const output = { text: "", listeners, ended: Promise.resolve() };
  output.ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output.text += decoder.decode(chunk, { stream: true });
      for (const listener of listeners) listener();
    }
  })();
  return output;
}

interface Watched {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly child: Subprocess;
}

async function seen(pattern: RegExp, { stdout, stderr, child }: Watched): Promise<RegExpExecArray> {
  const found = Promise.withResolvers<RegExpExecArray>();
  const look = () => {
    const match = pattern.exec(stdout.text) ?? pattern.exec(stderr.text);
    if (match !== null) found.resolve(match);
  };
  const failAtEnd = async () => {
    const [code] = await Promise.all([child.exited, stdout.ended, stderr.ended]);
    look();
    found.reject(new Error(`ended with ${code} before ${pattern}:\n${stdout.text}${stderr.text}`));
  };
  void failAtEnd();
  for (const output of [stdout, stderr]) output.listeners.add(look);
  try {
    look();
    return await found.promise;
  } finally {
    for (const output of [stdout, stderr]) output.listeners.delete(look);
  }
}
