import { parseArgs } from "node:util";

import { clientStore, NoSpace } from "./client-store.ts";
import { download, exec, sshBridge, upload } from "./kernel-commands.ts";
import { newSession, stop, usage, whoami } from "./machine-commands.ts";
import { sessions } from "./sessions.ts";
import { BANNER, complained, type Outcome, said, traceback, usageError } from "./texts.ts";
import { Ended, type World } from "./world.ts";

export interface Invocation extends Pick<
  World,
  | "server"
  | "env"
  | "pid"
  | "isRunning"
  | "pause"
  | "readFile"
  | "readBytes"
  | "writeBytes"
  | "remember"
  | "living"
  | "bridge"
> {
  /** Whether the disk takes a file there. */
  readonly takes: (path: string) => boolean;
  /** Without the program's own name. */
  readonly args: readonly string[];
}

/** Runs one command line of the fake. Rejects with `Interrupted` where it does not come to its end. */
export async function runFakeColab(invocation: Invocation): Promise<Outcome> {
  const { server, env } = invocation;
  const parsed = parseGlobals(invocation.args);
  if ("problem" in parsed) return usageError(parsed.problem, env);
  const { auth, config, command, rest } = parsed;
  const { latency_ms = 0, banner = "" } = server.transact(({ faults }) => ({ ...faults }));
  if (latency_ms > 0) await invocation.pause(latency_ms);
  const path = config ?? `${env["HOME"] ?? ""}/.config/colab-cli/sessions.json`;
  const store = clientStore(path, invocation.takes);
  const run = COMMANDS[command];
  if (run === undefined) return usageError(`No such command '${command}'.`, env);
  const world: World = { ...invocation, auth, store };
  const outcome = await endOf(run, world, rest);
  const shown = banner !== "" && command !== "version" ? BANNER : "";
  return { ...outcome, stdout: shown + outcome.stdout };
}

async function endOf(run: Command, world: World, rest: readonly string[]): Promise<Outcome> {
  try {
    return await run(world, rest);
  } catch (error) {
    if (error instanceof Ended) return error.outcome;
    if (error instanceof OptionError) return usageError(error.message, world.env);
    if (error instanceof NoSpace) return complained(traceback(NO_SPACE, world.env));
    throw error;
  }
}

const NO_SPACE = "OSError: [Errno 28] No space left on device";

type Command = (world: World, args: readonly string[]) => Outcome | Promise<Outcome>;

const VERSION = "0.7.5";
const SESSION = { session: { type: "string", short: "s" } } as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  version: ({ server }) =>
    server.transact(({ faults }) => {
      if (faults.version === "other") return said("colab-cli 3.1.0 (npm)\n");
      return said(`Version: ${faults.version ?? VERSION}\n`);
    }),
  sessions: (world, args) => (options(args, {}), sessions(world)),
  whoami: (world, args) => (options(args, {}), whoami(world)),
  usage: (world, args) => (options(args, {}), usage(world)),
  new(world, args) {
    const shape = { ...SESSION, gpu: { type: "string" }, tpu: { type: "string" } } as const;
    const { values } = options(args, { ...shape, "high-mem": { type: "boolean" } });
    return newSession(world, { name: named(values.session), gpu: values.gpu });
  },
  stop: (world, args) => stop(world, named(options(args, SESSION).values.session)),
  exec(world, args) {
    const shape = { file: { type: "string", short: "f" }, timeout: { type: "string" } } as const;
    const env = { env: { type: "string", multiple: true } } as const;
    const { values } = options(args, { ...SESSION, ...shape, ...env });
    return exec(world, { name: named(values.session), file: values.file ?? "/dev/stdin" });
  },
  upload(world, args) {
    const { values, positionals } = options(args, SESSION);
    const [local, remote, ...more] = positionals;
    if (local === undefined) throw new OptionError("Missing argument '{local_path}'.");
    if (remote === undefined) throw new OptionError("Missing argument '{remote_path}'.");
    if (more.length > 0) throw new OptionError(`Got unexpected extra argument (${more.join(" ")})`);
    return upload(world, { name: named(values.session), local, remote });
  },
  download(world, args) {
    const { values, positionals } = options(args, SESSION);
    const [remote, local, ...more] = positionals;
    if (remote === undefined) throw new OptionError("Missing argument '{remote_path}'.");
    if (local === undefined) throw new OptionError("Missing argument '{local_path}'.");
    if (more.length > 0) throw new OptionError(`Got unexpected extra argument (${more.join(" ")})`);
    return download(world, { name: named(values.session), local, remote });
  },
  ssh(world, args) {
    const shape = {
      "proxy-mode": { type: "boolean" },
      identity: { type: "string", short: "i" },
    } as const;
    const { values } = options(args, { ...SESSION, ...shape });
    const { identity } = values;
    if (identity !== undefined && world.readFile(identity) === null) {
      return complained(`[colab] --identity ${identity}: file not found.\n`, 2);
    }
    return sshBridge(world, { name: named(values.session), identity: identity ?? "" });
  },
};

interface Globals {
  readonly auth: "oauth2" | "adc";
  readonly config: string | undefined;
  readonly command: string;
  readonly rest: readonly string[];
}

/** Global options come before the command; behind it they are the command's, which does not know them. */
function parseGlobals(args: readonly string[]): Globals | { readonly problem: string } {
  let auth: Globals["auth"] = "oauth2";
  let config: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-")) return { auth, config, command: word, rest: args.slice(at + 1) };
    const [name, inline] = word.split(/=(.*)/s);
    const value = inline ?? args[(at += 1)];
    if (name === "--config") config = value;
    else if (name !== "--auth") return { problem: `No such option: ${name}` };
    else if (value === "oauth2" || value === "adc") auth = value;
    else
      return { problem: `Invalid value for '--auth': '${value}' is not one of 'oauth2', 'adc'.` };
  }
  return { problem: "Missing command." };
}

class OptionError extends Error {}

type Shape = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

function options<const T extends NonNullable<Shape>>(args: readonly string[], shape: T) {
  try {
    return parseArgs({ args: [...args], options: shape, allowPositionals: true, strict: true });
  } catch (error) {
    const unknown = /'(-[^']*)'/.exec(String(error))?.[1];
    throw new OptionError(`No such option: ${unknown ?? String(error)}`);
  }
}

function named(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new Ended(
    said("[colab] Error: No active sessions found. Create one with 'colab new'.\n", 1),
  );
}
