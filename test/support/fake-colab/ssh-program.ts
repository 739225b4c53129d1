/** A fake `ssh` for machines without one: `bun ssh-program.ts ARGUMENTS…` forwards one port. */
import { join } from "node:path";

import type { Socket } from "bun";

import { fileServer } from "./backend.ts";
import { SERVER_FILE } from "./files.ts";
import { readSshWords } from "./ssh-words.ts";
import { isServing } from "./vm.ts";

const { proxy_command, local_port } = readSshWords(process.argv.slice(2));
const proxy = Bun.spawn(["/bin/sh", "-c", proxy_command], {
  env: process.env,
  stdin: "pipe",
  stdout: "pipe",
  stderr: "inherit",
});

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  proxy.kill();
  process.exit(255);
}

const output = proxy.stdout.getReader();
const { value } = await output.read();
const [, directory, endpoint] =
  /^SSH-2\.0-fake (\S+) (\S+)/.exec(new TextDecoder().decode(value)) ?? [];
if (directory === undefined) {
  await proxy.exited;
  fail("kex_exchange_identification: Connection closed by remote host");
}
const server = fileServer(join(directory, SERVER_FILE));

/** The port that stands for the machine's, while its server answers. */
function openPort(): number | null {
  return server.transact(({ machines, vm_port }, now) => {
    const machine = machines.find((other) => other.endpoint === endpoint);
    return machine !== undefined && isServing(machine, now) ? vm_port : null;
  });
}

interface Side {
  peer: Promise<Socket> | null;
}

try {
  Bun.listen<Side>({
    hostname: "127.0.0.1",
    port: local_port,
    socket: {
      open(socket) {
        const port = openPort();
        socket.data = { peer: port === null ? null : connect(port, socket) };
        if (port === null) socket.terminate();
      },
      async data(socket, bytes) {
        const copy = Uint8Array.from(bytes);
        (await socket.data.peer)?.write(copy);
      },
      async close(socket) {
        (await socket.data.peer)?.end();
      },
    },
  });
} catch {
  process.stderr.write(`bind [127.0.0.1]:${local_port}: Address already in use\n`);
  process.stderr.write(`channel_setup_fwd_listener_tcpip: cannot listen to port: ${local_port}\n`);
  fail("Could not request local forwarding.");
}

function connect(port: number, client: Socket<Side>): Promise<Socket> {
  return Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_peer, bytes) => void client.write(bytes),
      close: () => void client.end(),
    },
  });
}

process.on("SIGTERM", () => {
  proxy.kill();
  process.exit(255);
});
await proxy.exited;
fail("client_loop: send disconnect: Broken pipe");
