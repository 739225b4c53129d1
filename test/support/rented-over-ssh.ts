import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { machineDirectory, processesOf } from "./fake-colab/living.ts";
import type { Place } from "./fake-colab/state.ts";
import { sshdConfig } from "./real-sshd.ts";
import { type Rented, rented } from "./rented.ts";
import { freePort } from "./run-cell.ts";

export interface RentedOverSsh extends Rented {
  /** Processes that run on that machine. */
  readonly running: (endpoint: string) => readonly number[];
  /** A file of the machine's. */
  readonly on: (endpoint: string, file: string) => string;
  /** Machines on the bill of which no command would say a word, as `status --check` has it now. */
  readonly unreported: () => Promise<readonly string[]>;
}

/**
 * The same with machines that live: their server, their watchdog and their OpenSSH run for real, and so
 * does this computer's ssh. Only the WebSocket of the bridge and what Google does are left out.
 */
export async function rentedOverSsh(runtimes = ""): Promise<RentedOverSsh> {
  const base = await rented(runtimes);
  const { colab, dir } = base;
  const desk = releaseDesk(base);
  const place: Place = {
    directory: dir.file("machines"),
    python: pythonPath(),
    owner: process.pid,
    port: freePort(),
    desk: `127.0.0.1:${desk.port}`,
  };
  const sshd_config = sshdConfig(dir);
  colab.server.transact((state) => Object.assign(state, { place, sshd_config }));
  writeSsh(join(colab.bin, "ssh"), place);
  const on = (endpoint: string, file: string) => join(machineDirectory(place, endpoint), file);
  return {
    ...base,
    running: (endpoint) => processesOf(place, endpoint),
    on,
    hold() {
      const files = colab.billing().map(({ endpoint }) => on(endpoint, "hold"));
      for (const file of files) writeFileSync(file, "");
      return () => files.forEach((file) => rmSync(file, { force: true }));
    },
    unreported: () => unreported(base),
    async [Symbol.asyncDispose]() {
      await base[Symbol.asyncDispose]();
      desk.stop();
    },
  };
}

/** Where a machine is told to release itself, as it can reach it from inside. */
function releaseDesk({ colab }: Rented) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const [, endpoint, act] = /^\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
      if (request.method !== "POST" || act !== "unassign")
        return new Response(null, { status: 404 });
      colab.server.transact((state, at) => {
        const known = state.machines.some((machine) => machine.endpoint === endpoint);
        if (!known || endpoint === undefined) return;
        state.machines = state.machines.filter((machine) => machine.endpoint !== endpoint);
        state.releases.push({ endpoint, by: "watchdog", session: null, stopped_as: null, at });
      });
      return new Response();
    },
  });
  return { port: server.port, stop: () => void server.stop(true) };
}

/** What `python3` names may be a script that looks for one at every call. */
function pythonPath(): string {
  const words = ["python3", "-c", "import sys; print(sys.executable)"];
  return Bun.spawnSync(words, { env: process.env }).stdout.toString().trim();
}

/** This computer's ssh. The machine's loopback is this computer's too, so its port is another one. */
function writeSsh(path: string, { port }: Place): void {
  const lines = [
    "#!/bin/sh",
    "for word do",
    "  shift",
    `  case $word in 127.0.0.1:*:127.0.0.1:8000) word="\${word%8000}${port}" ;; esac`,
    '  set -- "$@" "$word"',
    "done",
    `exec ${Bun.which("ssh") ?? "ssh"} "$@"`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}

interface Status {
  readonly items: readonly {
    readonly name: string;
    readonly watched_by: number | null;
    readonly notice: string | null;
  }[];
  readonly machines:
    | readonly {
        readonly endpoint: string;
        readonly runtime: string | null;
        readonly command: string | null;
      }[]
    | null;
}

/** Said is: watched by somebody who lives, or named with the words, or named with the command to take it over. */
async function unreported({ colab, run }: Rented): Promise<readonly string[]> {
  const { stdout } = await run("status", "--check", "--json");
  const { items, machines }: Status = JSON.parse(stdout);
  const isSaid = ({ endpoint }: { readonly endpoint: string }) => {
    const listed = machines?.find((machine) => machine.endpoint === endpoint);
    const lease = items.find(({ name }) => name === listed?.runtime);
    const notice = lease?.notice ?? "";
    return lease === undefined
      ? listed?.command != null
      : lease.watched_by !== null || notice.startsWith("MAY STILL BE BILLING");
  };
  return colab
    .billing()
    .filter((machine) => !isSaid(machine))
    .map(({ endpoint }) => endpoint);
}
