import type { StoreEntry } from "./client-store.ts";
import { takeFault } from "./faults.ts";
import { reach } from "./google.ts";
import { newSession } from "./machine-commands.ts";
import { sessionOf } from "./sessions.ts";
import type { FakeMachine } from "./state.ts";
import { cellTraceback, complained, type Outcome, said, traceback } from "./texts.ts";
import { BAKED_PREFIX, type CellResult, runCell } from "./vm.ts";
import { Interrupted, type World } from "./world.ts";

/** Its exit code is 0 where the cell raised; on its way out it writes the entry as it knew it. */
export async function exec(
  world: World,
  { name, file }: { name: string; file: string },
): Promise<Outcome> {
  const entry = sessionOf(world, name, 1);
  const script = world.readFile(file);
  if (script === null) {
    return complained(traceback(`FileNotFoundError: No such file: '${file}'`, world.env));
  }
  world.remember(name, script);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "exec"));
  const early = fault === undefined ? undefined : earlyEnd(world, fault);
  if (early !== undefined) return early;
  const ran = await runOnMachine(world, entry, script);
  if (ran === null || fault === "lost") return lost(world, name);
  world.store.add({
    ...entry,
    kernel_id: "fake-kernel",
    last_execution: [file, null, "2026-10-01 00:00:00"],
  });
  if (ran.kind === "raised")
    return { code: 0, stdout: "", stderr: cellTraceback(ran.name, ran.value) };
  return lateEnd(world, fault, ran.stdout);
}

/** Null where the machine is not reached. */
async function runOnMachine(
  { server, living }: World,
  entry: StoreEntry,
  script: string,
): Promise<CellResult | null> {
  if (living === null) {
    return server.transact((state, now) => {
      const machine = reach(state, entry, now);
      return machine === "lost" ? null : runCell({ state, machine, script, now });
    });
  }
  const machine = server.transact((state, now) => reach(state, entry, now));
  return machine === "lost" ? null : living.run(machine, script);
}

function lost(world: World, name: string): Outcome {
  world.store.remove(name);
  return said(`[colab] Session '${name}' appears to be lost (404/401). Cleaning up.\n`, 1);
}

/** Faults under which the cell never ran. */
function earlyEnd({ env }: World, fault: string): Outcome | undefined {
  switch (fault) {
    case "traceback":
      return { code: 0, stdout: "", stderr: cellTraceback("ValueError", "boom [veriroute]") };
    case "silent":
      return said("");
    case "conn-lost":
      return complained(traceback("RuntimeError: Connection was lost.", env));
    case "jkc":
      return complained(
        traceback(
          "AttributeError: module 'jupyter_kernel_client' has no attribute 'KernelClient'",
          env,
        ),
      );
    case "hang":
      throw new Interrupted("hang");
    default:
      return undefined;
  }
}

/** In the middle of the marker. */
const CUT = 15;

/** Faults after the cell ran. */
function lateEnd({ env }: World, fault: string | undefined, stdout: string): Outcome {
  switch (fault) {
    case "timeout-late":
      return { code: 1, stdout, stderr: traceback("TimeoutError: Timeout waiting for reply", env) };
    case "partial":
      return said(stdout.slice(0, CUT));
    case "noise":
      return {
        code: 0,
        stdout: `Collecting vllm\r\u001B[2K  Downloading 12%\r\u001B[2K  Downloading 99%${stdout}\u001B[0mDone.\n`,
        stderr: "WARNING: Running pip as the 'root' user [veriroute] READY nothing\n",
      };
    default:
      return said(stdout);
  }
}

export interface TransferOptions {
  readonly name: string;
  readonly local: string;
  readonly remote: string;
}

export function upload(world: World, { name, local, remote }: TransferOptions): Outcome {
  const entry = sessionOf(world, name, 1);
  const content = world.readBytes(local);
  if (content === null) return said(`[colab] Local file '${local}' not found.\n`, 1);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "upload"));
  if (fault === "hang") throw new Interrupted("hang");
  const url = `${entry.url}/api/contents${remote}?authuser=0&colab-runtime-proxy-token=${entry.token}`;
  const stored = world.server.transact((state, now) => {
    const machine = fault === "fail" ? "lost" : reach(state, entry, now);
    if (machine === "lost") return false;
    machine.files[remote] = content.length;
    world.living?.write(machine, remote, content);
    // Of all else only the size is kept: secrets go this way, too.
    if (remote.startsWith(BAKED_PREFIX)) machine.parts[remote] = content.toBase64();
    return true;
  });
  if (!stored)
    return said(`[colab] Upload failed: 401 Client Error: Unauthorized for url: ${url}\n`, 1);
  world.remember(name, `file_operation upload ${local} ${remote}`);
  return said(`[colab] Uploaded '${local}' to '${remote}'\n`);
}

export function download(world: World, { name, local, remote }: TransferOptions): Outcome {
  const entry = sessionOf(world, name, 1);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "download"));
  if (fault === "hang") throw new Interrupted("hang");
  const found = world.server.transact((state, now) => {
    const machine = reach(state, entry, now);
    return machine === "lost" ? null : (machine.parts[remote] ?? "missing");
  });
  if (found === null || fault === "fail") {
    const url = `${entry.url}/api/contents${remote}`;
    return said(`[colab] Download failed: 401 Client Error: Unauthorized for url: ${url}\n`, 1);
  }
  if (found === "missing") {
    return said(`[colab] Download failed: File or directory not found: ${remote}\n`, 1);
  }
  const content = Uint8Array.fromBase64(found);
  world.writeBytes(local, fault === "cut" ? content.subarray(1) : content);
  world.remember(name, `file_operation download ${remote} ${local}`);
  return said(`[colab] Downloaded '${remote}' to '${local}'\n`);
}

const HANDSHAKES: Readonly<Record<string, string>> = {
  "400": "Server rejected pubkey: unsupported key type. Accepted key types: ssh-ed25519.",
  "401":
    "Authentication failed (HTTP 401): the runtime-proxy token is invalid. The session may have expired - try `colab new`.",
  "403":
    "Forbidden (HTTP 403): the server refused this request; the runtime-proxy token may lack permission for this action.",
  "404":
    "Endpoint not found (HTTP 404): this runtime does not expose the /colab/ssh endpoint. SSH is enabled at runtime creation, so an older or non-SSH runtime will not have it - run `colab new` for a fresh runtime with SSH.",
  "429":
    "Already-active SSH session (HTTP 429): another `colab ssh` is connected to this runtime. Disconnect it and retry.",
  "502":
    "Bad gateway (HTTP 502): the runtime's local sshd is unreachable. The runtime may be unhealthy; try `colab status`, then `colab stop` + `colab new`.",
  network:
    "WebSocket connection failed: [Errno -2] Name or service not known. Check your network and that the runtime is healthy (`colab status`).",
};

/** Where the store lacks the session it rents a machine, without a GPU. */
export async function sshBridge(
  world: World,
  { name, identity }: { readonly name: string; readonly identity: string },
): Promise<Outcome> {
  if (world.store.get(name) === undefined) {
    const made = newSession(world, { name, gpu: undefined });
    if (made.code !== 0) return { ...made, stdout: "", stderr: made.stdout + made.stderr };
  }
  const entry = sessionOf(world, name, 2);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "ssh"));
  if (fault === "hang") throw new Interrupted("hang");
  const opened = fault ?? openBridge(world, entry);
  if (typeof opened === "string") {
    return complained(
      `[colab] ${HANDSHAKES[opened] ?? `WebSocket upgrade rejected (HTTP ${opened}): `}\n`,
    );
  }
  await world.bridge(opened, identity);
  return said("");
}

function openBridge(world: World, entry: StoreEntry): FakeMachine | string {
  return world.server.transact((state, now) => {
    const machine = reach(state, entry, now);
    if (machine === "lost") return "404";
    if (machine.ssh_pid !== null && world.isRunning(machine.ssh_pid)) return "429";
    machine.ssh_pid = world.pid;
    return machine;
  });
}
