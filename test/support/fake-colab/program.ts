/** The fake `colab` as a program: `bun program.ts DIRECTORY ARGUMENTS…`. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { fileServer } from "./backend.ts";
import { runFakeColab } from "./cli.ts";
import { CALLS_FILE, SERVER_FILE } from "./files.ts";
import { livingAt, machineEnvironment } from "./living.ts";
import type { FakeMachine, Place } from "./state.ts";
import { Interrupted } from "./world.ts";

const [, , directory = "", ...args] = process.argv;
const server = fileServer(join(directory, SERVER_FILE));
const { env } = process;
const settings = join(env["HOME"] ?? "", ".config", "colab-cli");

function record(end: object): void {
  const line = { at: server.now(), pid: process.pid, args, cwd: process.cwd(), env, ...end };
  appendFileSync(join(directory, CALLS_FILE), `${JSON.stringify(line)}\n`);
}

/** As the real one: bearer tokens and cells in clear, below the home. */
function remember(name: string, text: string): void {
  mkdirSync(join(settings, "history"), { recursive: true });
  appendFileSync(join(settings, "colab.log"), "Authorization: Bearer ya29.fake-bearer-token\n");
  appendFileSync(join(settings, "history", `${name}.jsonl`), `${JSON.stringify({ text })}\n`);
}

function readFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function readBytes(path: string): Uint8Array | null {
  return existsSync(path) ? readFileSync(path) : null;
}

/** Whoever has ended and was not waited for holds no connection. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const LOOK_MS = 20;

/** Open until the machine is gone, the fault says so, or the other side closes. */
async function bridge({ endpoint }: FakeMachine, identity: string): Promise<void> {
  const { sshd_config, place, opened_at } = server.transact((state, now) => ({
    sshd_config: state.sshd_config,
    place: state.place,
    opened_at: now,
  }));
  const closed = Promise.withResolvers<unknown>();
  const end =
    sshd_config === null
      ? announce(endpoint, closed)
      : serveSsh({ config: sshd_config, identity, env: sshEnvironment(place, endpoint) }, closed);
  const timer = setInterval(() => {
    const ends = server.transact(({ machines, faults }, now) => {
      const lives = machines.some((machine) => machine.endpoint === endpoint);
      return !lives || now - opened_at >= (faults.ssh_drop_ms ?? Infinity);
    });
    if (ends) closed.resolve(undefined);
  }, LOOK_MS);
  await closed.promise;
  clearInterval(timer);
  end();
  server.transact(({ machines }) => {
    const ours = machines.find((machine) => machine.endpoint === endpoint);
    if (ours !== undefined) ours.ssh_pid = null;
  });
}

type Closed = PromiseWithResolvers<unknown>;

/** For the fake ssh, which forwards by itself. */
function announce(endpoint: string, closed: Closed): () => void {
  process.stdout.write(`SSH-2.0-fake ${directory} ${endpoint}\r\n`);
  process.stdin.on("end", closed.resolve).resume();
  // An input that is open would keep this process alive.
  return () => void process.stdin.destroy();
}

interface SshServer {
  readonly config: string;
  /** Of the key that is let in. */
  readonly identity: string;
  readonly env: Record<string, string>;
}

function sshEnvironment(place: Place | null, endpoint: string): Record<string, string> {
  return place === null ? environment() : machineEnvironment(place, endpoint, {});
}

/** For the real ssh: a real server for this one connection, on this process's own streams. */
function serveSsh({ config, identity, env: sshEnv }: SshServer, closed: Closed): () => void {
  const keys = `AuthorizedKeysFile=${identity}.pub`;
  const sshd = Bun.spawn(["/usr/sbin/sshd", "-i", "-f", config, "-o", keys], {
    env: sshEnv,
    stdio: ["inherit", "inherit", "inherit"],
  });
  void sshd.exited.then(closed.resolve);
  return () => sshd.kill("SIGKILL");
}

try {
  const { pid } = process;
  const { place, faults } = server.transact(({ place: at, faults: now }) => ({
    place: at,
    faults: { ...now },
  }));
  const world = {
    server,
    env: environment(),
    pid,
    isRunning,
    pause: Bun.sleep,
    readFile,
    readBytes,
    writeBytes: writeFileSync,
    // The disk says so itself.
    takes: () => true,
    remember,
    living: place === null ? null : livingAt(place, faults),
  };
  const { code, stdout, stderr } = await runFakeColab({ ...world, bridge, args });
  record({ code });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  record({ interrupted: error.how });
  process.stdout.write(error.stdout);
  if (error.how === "crash") process.kill(process.pid, "SIGKILL");
  await Bun.sleep(24 * 3_600_000);
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
}
