import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Env } from "../../config/paths.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import { colabEnvironment, NO_CREDENTIALS } from "./environment.ts";
import {
  type ColabStore,
  openColabStore,
  removeColabStore,
  type StoreDependencies,
} from "./store.ts";
import { createTurns } from "./turns.ts";

export type ColabAuth = "oauth2" | "adc";

export interface CallsDependencies extends StoreDependencies {
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
  readonly stdin?: string;
  /** Python that `-f` names: added to `args` as a file of the store. */
  readonly script?: string;
}

/** The store of calls that concern no runtime; no runtime can have this name. */
export const ACCOUNT = ".account";

export interface Turn {
  readonly store: ColabStore;
  /** Never rejects. */
  readonly call: (call: Omit<Call, "name">) => Promise<CommandResult>;
}

export interface ColabCalls {
  /** Never rejects. */
  readonly call: (call: Call) => Promise<CommandResult>;
  /** Several steps with nothing between them. Throws what the file system throws. */
  readonly inTurn: <T>(name: string, use: (turn: Turn) => Promise<T>) => Promise<T>;
  /** Does something with a store while no command uses it. Throws what the file system throws. */
  readonly withStore: <T>(name: string, use: (store: ColabStore) => T) => Promise<T>;
  readonly store: (name: string) => ColabStore;
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
  const { run, env, program, auth } = dependencies;
  const takeTurn = createTurns();
  const store = (name: string) => openColabStore(dependencies, name);
  const place = () => Bun.which(program, { PATH: env["PATH"] ?? "" });
  const environment = ({ home }: ColabStore) => colabEnvironment({ env, home, program: place() });

  const callFrom = (opened: ColabStore, call: Omit<Call, "name">): Promise<CommandResult> => {
    const { args, script, stdin, timeout_ms } = call;
    const file = script === undefined ? [] : ["-f", writeScript(opened, script)];
    const argv = [
      program,
      `--auth=${auth}`,
      "--config",
      opened.sessions,
      ...args,
      ...file,
    ] as const;
    const command = { argv, env: environment(opened), cwd: opened.directory, timeout_ms };
    return run(stdin === undefined ? command : { ...command, stdin });
  };
  const callNow = async (name: string, call: Omit<Call, "name">): Promise<CommandResult> => {
    try {
      return await callFrom(store(name), call);
    } catch (error) {
      const reason = `\`${join(dependencies.root, name)}\` cannot be written: ${String(error)}`;
      return { kind: "not_started", cause: "other", reason };
    }
  };

  return {
    call: ({ name, ...call }) => takeTurn(name, () => callNow(name, call)),
    inTurn: (name, use) =>
      takeTurn(name, () => use({ store: store(name), call: (call) => callNow(name, call) })),
    withStore: (name, use) => takeTurn(name, async () => use(store(name))),
    store,
    forget: (name) => takeTurn(name, async () => removeColabStore(dependencies, name)),
    offline(name, args) {
      const opened = store(name);
      const argv = [
        place() ?? program,
        "--auth=adc",
        "--config",
        opened.sessions,
        ...args,
      ] as const;
      return { argv, env: { ...environment(opened), ...NO_CREDENTIALS } };
    },
  };
}

/** One file for all: calls take turns, and what a script says is no secret. */
function writeScript({ directory }: ColabStore, script: string): string {
  const path = join(directory, "cell.py");
  writeFileSync(path, script, { mode: 0o600 });
  return path;
}
