import { join } from "node:path";

import type { Env } from "../../config/paths.ts";
import type { Command, CommandResult, RunCommand } from "../command.ts";
import { LEASE_NAME } from "../lease.ts";
import { isDiskFull } from "./disk-full.ts";
import type { StoredSession } from "./driver.ts";
import { colabEnvironment, NO_CREDENTIALS } from "./environment.ts";
import type { StandInsDependencies } from "./stand-ins.ts";
import { type ColabStore, writeEntry } from "./store.ts";
import { createStores, type Stores } from "./stores.ts";
import { createTurns, createWays } from "./turns.ts";

export type ColabAuth = "oauth2" | "adc";

export interface CallsDependencies extends StandInsDependencies {
  readonly run: RunCommand;
  /** Of our process; the command gets what `environment.ts` lets through. */
  readonly env: Env;
  /** `colab`, or the path of it. */
  readonly program: string;
  readonly auth: ColabAuth;
}

export interface Call {
  /** Whose store is used; calls on one store take turns, since each rewrites it as it knew it. */
  readonly name: string;
  /** The subcommand and its options. */
  readonly args: readonly string[];
  readonly timeout_ms: number;
  readonly stdin?: string | Uint8Array;
  /** Python that `-f` names: added to `args` as a file of the store. */
  readonly script?: string;
  /** Is ended, or not begun, when the release of its machine is asked for. */
  readonly yields?: true;
}

/** Names become paths: one that no lease can have never gets that far. */
export function named(name: string): string {
  if (!LEASE_NAME.test(name)) throw new Error(`\`${name}\` cannot be the name of a runtime`);
  return name;
}

/** The store of calls that concern no runtime; no runtime can have this name. */
export const ACCOUNT = ".account";

export interface Turn {
  /** What the store says of the session now. */
  readonly entry: () => StoredSession | null;
  /** Never rejects. */
  readonly call: (call: Omit<Call, "name" | "yields">) => Promise<CommandResult>;
}

type OwnCall = Omit<Call, "name" | "yields"> & { readonly signal?: AbortSignal };

export interface ColabCalls {
  /** Never rejects. */
  readonly call: (call: Call) => Promise<CommandResult>;
  /** Several steps with nothing between them. */
  readonly inTurn: <T>(name: string, use: (turn: Turn) => Promise<T>) => Promise<T>;
  /** Makes a name stand for a machine. Throws what the file system throws. */
  readonly adopt: (name: string, endpoint: string) => Promise<void>;
  /** Ends what yields; calls made from now on are not meant. */
  readonly clearWay: (name: string) => void;
  /** What its store says of the session of that name; null if it has none. */
  readonly entry: (name: string) => StoredSession | null;
  /** Where files of the runtime lie that are not the command's. */
  readonly directory: (name: string) => string;
  readonly forget: (name: string) => Promise<void>;
  /** A call that can only use what the store holds, never Google's login. */
  readonly offline: (name: string, args: readonly string[]) => OfflineCall;
}

export interface OfflineCall {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** How the official command is called: global options first, always a store, never a terminal. */
export function createColabCalls(dependencies: CallsDependencies): ColabCalls {
  const takeTurn = createTurns();
  const ways = createWays();
  const stores = createStores(dependencies);
  const callNow = async (name: string, call: OwnCall): Promise<CommandResult> => {
    try {
      const result = await dependencies.run(commandOf(dependencies, stores, { name, call }));
      if (isDiskFull(result)) stores.leave(name);
      else stores.tidy(name);
      return result;
    } catch (error) {
      const reason = `\`${join(dependencies.root, name)}\` cannot be written: ${String(error)}`;
      return { kind: "not_started", cause: "other", reason };
    }
  };
  return {
    call({ name, yields, ...call }) {
      const own = yields ? { ...call, signal: ways.signal(name) } : call;
      return takeTurn(name, () => callNow(name, own));
    },
    inTurn: (name, use) =>
      takeTurn(name, () =>
        use({ entry: () => stores.entry(name), call: (call) => callNow(name, call) }),
      ),
    adopt: (name, endpoint) =>
      takeTurn(name, async () => {
        stores.settle(name);
        stores.write(name, (store) => writeEntry(store, { name, endpoint }));
      }),
    clearWay: ways.clear,
    entry: stores.entry,
    directory: stores.directory,
    forget: (name) => takeTurn(name, async () => stores.remove(name)),
    offline: (name, args) => offlineCall(dependencies, stores.open(name), args),
  };
}

function commandOf(
  dependencies: CallsDependencies,
  stores: Stores,
  { name, call }: { readonly name: string; readonly call: OwnCall },
): Command {
  const { program, auth } = dependencies;
  const { args, script, ...rest } = call;
  stores.settle(name);
  const { store, file } = stores.write(name, (used) => ({
    store: used,
    file: script === undefined ? [] : ["-f", writeScript(used, script)],
  }));
  return {
    ...rest,
    argv: [program, `--auth=${auth}`, "--config", store.sessions, ...args, ...file],
    env: environmentOf(dependencies, store),
    cwd: store.directory,
  };
}

function offlineCall(
  dependencies: CallsDependencies,
  store: ColabStore,
  args: readonly string[],
): OfflineCall {
  const program = placeOf(dependencies) ?? dependencies.program;
  return {
    argv: [program, "--auth=adc", "--config", store.sessions, ...args],
    env: { ...environmentOf(dependencies, store), ...NO_CREDENTIALS },
  };
}

function environmentOf(dependencies: CallsDependencies, { home }: ColabStore) {
  const { env } = dependencies;
  return colabEnvironment({ env, home, program: placeOf(dependencies) });
}

function placeOf({ program, env }: CallsDependencies): string | null {
  return Bun.which(program, { PATH: env["PATH"] ?? "" });
}

/** One file for all: calls take turns, and what a script says is no secret. */
function writeScript({ directory, write }: ColabStore, script: string): string {
  const path = join(directory, "cell.py");
  write(path, script);
  return path;
}
