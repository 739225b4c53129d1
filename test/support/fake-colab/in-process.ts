/**
 * The fake without processes, on any clock: the seam for commands, the program that ssh would be and
 * the fetch that goes through it, for runs of a thousand lives.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import type {
  Command,
  CommandResult,
  RunCommand,
  RunningProgram,
  StartProgram,
} from "../../../src/runtimes/command.ts";
import type { Pause } from "../../../src/runtimes/pause.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import { type FakeServer, memoryServer } from "./backend.ts";
import { runFakeColab } from "./cli.ts";
import type { Faults } from "./faults.ts";
import { readSshWords } from "./ssh-words.ts";
import type { FakeMachine } from "./state.ts";
import { isServing } from "./vm.ts";
import { Interrupted } from "./world.ts";

export interface InProcessColab {
  readonly run: RunCommand;
  readonly start: StartProgram;
  /** Answers `/v1/models` of a forwarded port whose machine serves; fails as a socket would elsewhere. */
  readonly fetch: Fetch;
  readonly server: FakeServer;
  readonly setFaults: (faults: Faults) => void;
  readonly billing: () => FakeMachine[];
  /** What happens around each command; `run` is the command itself. */
  around: (argv: readonly string[], run: () => Promise<CommandResult>) => Promise<CommandResult>;
  /** Command lines so far. */
  readonly commands: readonly (readonly string[])[];
}

export interface InProcessDependencies {
  /** Whether the disk takes a file there. */
  readonly takes?: (path: string) => boolean;
  readonly now: () => number;
  readonly pause: Pause;
}

interface OpenBridge {
  readonly endpoint: string;
  readonly end: () => void;
}

export function inProcessColab({
  now,
  pause,
  takes = () => true,
}: InProcessDependencies): InProcessColab {
  const bridges = new Map<number, OpenBridge>();
  const server = endingBridges(memoryServer(now), bridges);
  const commands: (readonly string[])[] = [];
  let pids = 5_000_000;

  const call = (command: Pick<Command, "argv" | "env" | "stdin">, pid: number, port: number) =>
    runFakeColab({
      server,
      env: command.env,
      pid,
      isRunning: () => true,
      pause,
      readFile: (path) => readBytesOf(path, command.stdin)?.toString() ?? null,
      readBytes: (path) => readBytesOf(path, command.stdin),
      writeBytes: writeFileSync,
      takes,
      remember: () => undefined,
      living: null,
      bridge: ({ endpoint }) => openBridge({ server, bridges, pause }, { endpoint, port }),
      args: command.argv.slice(1),
    });
  const runNow: RunCommand = async (command) => {
    const [program] = command.argv;
    if (program.endsWith("ssh-keygen")) return makeKey(command.argv.at(-1) ?? "");
    if (!program.endsWith("colab")) {
      return { kind: "not_started", cause: "missing", reason: `\`${program}\` is not on the path` };
    }
    try {
      return { kind: "exited", ...(await call(command, (pids += 1), 0)) };
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      return interrupted(error, command, pause);
    }
  };
  const run: RunCommand = async (command) => {
    if (command.signal?.aborted === true) {
      return { kind: "ended", cause: "abort", stdout: "", stderr: "" };
    }
    commands.push(command.argv);
    return own.around(command.argv, () => runNow(command));
  };
  const start: StartProgram = ({ argv, env }) => {
    commands.push(argv);
    const { proxy_command, local_port } = readSshWords(argv);
    const words = proxy_command.split(" ").map((word) => word.replaceAll("'", ""));
    const [head = "", ...rest] = words;
    const pid = (pids += 1);
    const stopped = Promise.withResolvers<void>();
    const ended = call({ argv: [head, ...rest], env }, pid, local_port).catch(async (error) => {
      if (!(error instanceof Interrupted)) throw error;
      await stopped.promise;
      return { stderr: "" };
    });
    const stop = () => {
      bridges.get(local_port)?.end();
      stopped.resolve();
    };
    return runningSsh({ pid, ended, stop });
  };
  const own: InProcessColab = {
    around: (_argv, act) => act(),
    run,
    start,
    fetch: (url) => answer(server, bridges, new URL(url)),
    server,
    setFaults: (faults) => server.transact((state) => void (state.faults = faults)),
    billing: () => server.transact(({ machines }) => structuredClone(machines)),
    commands,
  };
  return own;
}

/** A machine that goes takes its connection with it. */
function endingBridges(server: FakeServer, bridges: Map<number, OpenBridge>): FakeServer {
  return {
    now: server.now,
    transact: (change) =>
      server.transact((state, now) => {
        try {
          return change(state, now);
        } finally {
          const live = new Set(state.machines.map(({ endpoint }) => endpoint));
          for (const bridge of bridges.values()) if (!live.has(bridge.endpoint)) bridge.end();
        }
      }),
  };
}

interface Bridging {
  readonly server: FakeServer;
  readonly bridges: Map<number, OpenBridge>;
  readonly pause: Pause;
}

async function openBridge(
  { server, bridges, pause }: Bridging,
  { endpoint, port }: { readonly endpoint: string; readonly port: number },
): Promise<void> {
  const ended = new AbortController();
  bridges.set(port, { endpoint, end: () => ended.abort() });
  const { ssh_drop_ms } = server.transact(({ faults }) => ({ ...faults }));
  const { promise, resolve } = Promise.withResolvers<void>();
  ended.signal.addEventListener("abort", () => resolve(), { once: true });
  if (ssh_drop_ms !== undefined) void pause(ssh_drop_ms, ended.signal).then(resolve);
  await promise;
  ended.abort();
  bridges.delete(port);
  server.transact(({ machines }) => {
    const machine = machines.find((other) => other.endpoint === endpoint);
    if (machine !== undefined) machine.ssh_pid = null;
  });
}

function runningSsh(ssh: {
  readonly pid: number;
  readonly ended: Promise<{ readonly stderr: string }>;
  readonly stop: () => void;
}): RunningProgram {
  let stderr = "";
  const exited = (async () => {
    const { stderr: said } = await ssh.ended;
    stderr = said === "" ? "client_loop: send disconnect: Broken pipe\n" : said;
    return 255;
  })();
  return {
    kind: "running",
    pid: ssh.pid,
    exited,
    stderr: () => stderr,
    async stop() {
      ssh.stop();
      await exited;
    },
  };
}

async function interrupted(
  { how, stdout }: Interrupted,
  command: Command,
  pause: Pause,
): Promise<CommandResult> {
  if (how === "crash") return { kind: "killed", signal: "SIGKILL", stdout, stderr: "" };
  await pause(command.timeout_ms, command.signal);
  const cause = command.signal?.aborted === true ? "abort" : "timeout";
  return { kind: "ended", cause, stdout, stderr: "" };
}

function makeKey(path: string): CommandResult {
  writeFileSync(path, "fake private key\n", { mode: 0o600 });
  writeFileSync(`${path}.pub`, "ssh-ed25519 AAAA veriroute\n");
  return { kind: "exited", code: 0, stdout: "", stderr: "" };
}

function readBytesOf(path: string, stdin: Command["stdin"]): Buffer | null {
  if (path === "/dev/stdin") return stdin === undefined ? null : Buffer.from(stdin);
  return existsSync(path) ? readFileSync(path) : null;
}

async function answer(
  server: FakeServer,
  bridges: ReadonlyMap<number, OpenBridge>,
  url: URL,
): Promise<Response> {
  const bridge = bridges.get(Number(url.port));
  const model = server.transact(({ machines }, now) => {
    const machine = machines.find(({ endpoint }) => endpoint === bridge?.endpoint);
    return machine !== undefined && isServing(machine, now) ? machine.launch?.served_model : null;
  });
  if (model == null) throw new TypeError("Unable to connect");
  if (url.pathname !== "/v1/models") return new Response(null, { status: 404 });
  return Response.json({ object: "list", data: [{ id: model, object: "model" }] });
}
