import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface WarmPython extends Disposable {
  /** Makes an executable of a Python program; each run of it is a process that begins with the modules loaded. */
  readonly write: (path: string, program: string) => string;
}

export interface WarmRequest {
  readonly python: string;
  /** Holds its socket. */
  readonly directory: string;
  /** None that looks at its environment while it is loaded, but for what `env` says. */
  readonly modules: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Loading what a large program needs takes most of the time of a short call: here it is done once. */
export async function warmPython(request: WarmRequest): Promise<WarmPython> {
  const { python, directory, modules, env } = request;
  const place = join(directory, "python.socket");
  const server = Bun.spawn([python, join(import.meta.dir, "warm-python.py"), place, ...modules], {
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await server.stdout.getReader().read();
  if (value === undefined) throw new Error("Python did not get warm");
  return {
    write(path, program) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, client({ python, place, program }));
      chmodSync(path, 0o755);
      return path;
    },
    [Symbol.dispose]: () => server.kill("SIGKILL"),
  };
}

interface Client {
  readonly python: string;
  readonly place: string;
  readonly program: string;
}

/** JSON's texts are Python's. */
function client({ python, place, program }: Client): string {
  return `#!${python} -SE
import json, os, socket, sys
call = {"argv": sys.argv, "env": dict(os.environ), "cwd": os.getcwd(), "program": ${JSON.stringify(program)}}
connection = socket.socket(socket.AF_UNIX)
connection.connect(${JSON.stringify(place)})
socket.send_fds(connection, [b" "], [0, 1, 2])
connection.sendall(json.dumps(call).encode() + b"\\n")
code = connection.recv(1)
sys.exit(code[0] if code else 70)
`;
}
