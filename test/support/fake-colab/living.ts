/**
 * Machines that live: what runs on one is a process of this computer, with the machine's own directory,
 * `site-packages` and programs. Its clocks are true, its waits a tenth.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Faults } from "./faults.ts";
import type { FakeMachine, Place } from "./state.ts";
import type { CellResult } from "./vm.ts";

export interface Living {
  /** Runs a cell as the machine's kernel does. */
  readonly run: (machine: FakeMachine, script: string) => Promise<CellResult>;
  /** Puts a file there. */
  readonly write: (machine: FakeMachine, path: string, content: Uint8Array) => void;
}

const MACHINE = join(import.meta.dir, "machine");

export function livingAt(place: Place, faults: Faults): Living {
  return {
    async run(machine, script) {
      const directory = madeDirectory(place, machine.endpoint);
      const child = Bun.spawn([place.python, "-"], {
        cwd: directory,
        env: machineEnvironment(place, machine.endpoint, faults),
        stdin: new Blob([moved(script, place, directory)]),
        stdout: "pipe",
        stderr: "pipe",
        // What ends the command that asked does not reach the machine.
        detached: true,
      });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      if ((await child.exited) === 0) return { kind: "printed", stdout };
      const [, name = "SystemExit", value = ""] =
        /^(\w+)(?:: (.*))?$/m.exec(lastLine(stderr)) ?? [];
      return { kind: "raised", name, value };
    },
    write({ endpoint }, path, content) {
      const directory = madeDirectory(place, endpoint);
      writeFileSync(path.replace(/^\/content\//, `${directory}/`), content);
    },
  };
}

export function machineDirectory({ directory }: Place, endpoint: string): string {
  return join(directory, endpoint);
}

function madeDirectory(place: Place, endpoint: string): string {
  const directory = machineDirectory(place, endpoint);
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Of everything that runs on the machine. */
export function machineEnvironment(
  place: Place,
  endpoint: string,
  { watchdog = "", boot_ms = 0, boot_fail = "" }: Faults,
): Record<string, string> {
  return {
    PATH: `${MACHINE}/bin:${dirname(place.python)}:/usr/bin:/bin`,
    PYTHONPATH: join(MACHINE, "site"),
    PYTHONDONTWRITEBYTECODE: "1",
    FAKE_MACHINE: machineDirectory(place, endpoint),
    FAKE_OWNER: String(place.owner),
    FAKE_BOOT_MS: String(boot_ms),
    FAKE_BOOT_FAIL: boot_fail,
    ...(watchdog === "" ? { TBE_RUNTIME_ADDR: `${place.desk}/${endpoint}` } : {}),
  };
}

/** The cell, where `/content` and port 8000 are shared with the rest of this computer. */
function moved(script: string, { port }: Place, directory: string): string {
  const own = (text: string) =>
    text === "8000"
      ? String(port)
      : text.replaceAll("/content/", `${directory}/`).replaceAll(":8000/", `:${port}/`);
  return script.replace(/^PARAMETERS = json\.loads\((".*")\)$/m, (_, literal: string) => {
    const parameters: unknown = JSON.parse(JSON.parse(literal));
    const moving = JSON.stringify(parameters, (_key, value: unknown) =>
      typeof value === "string" ? own(value) : value,
    );
    return `PARAMETERS = json.loads(${JSON.stringify(moving)})`;
  });
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

/** A machine takes with it whatever runs on it. */
export function endMachine(place: Place, endpoint: string): void {
  const mark = `FAKE_MACHINE=${machineDirectory(place, endpoint)}\0`;
  for (let found = processesWith(mark); found.length > 0; found = processesWith(mark)) {
    for (const pid of found) end(pid);
  }
}

export function processesOf(place: Place, endpoint: string): readonly number[] {
  return processesWith(`FAKE_MACHINE=${machineDirectory(place, endpoint)}\0`);
}

/** A process that has ended and was not waited for has no environment any more. */
function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
