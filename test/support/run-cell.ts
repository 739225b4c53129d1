/** Runs what is put on rented machines, with this machine's own Python. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";

import { type Cell, launchCell, pollCell } from "../../src/runtimes/bootstrap/cells.ts";
import type { ServerPlan } from "../../src/runtimes/bootstrap/server-plan.ts";
import { until } from "./until.ts";
import type { vmDirectory } from "./vm-directory.ts";

export const PYTHON = { PATH: process.env["PATH"] ?? "", PYTHONDONTWRITEBYTECODE: "1" };

/** Runs a cell as the kernel would. */
export async function runCell({ script }: Cell, env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(["python3", "-"], {
    env: { ...PYTHON, ...env },
    stdin: new Blob([script]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr };
}

/** Serves like a model server, with the key it is given. */
const SERVER = `
import http.server, os, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ok = self.headers.get("Authorization") == "Bearer " + os.environ["VLLM_API_KEY"]
        self.send_response(200 if ok else 401)
        self.end_headers()
    def log_message(self, *args):
        pass
print("key", os.environ["VLLM_API_KEY"], flush=True)
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Answer)
server.serve_forever()
`;

interface PlanChange extends Partial<ServerPlan> {
  readonly server?: string;
}

export function planIn(
  vm: { file: (name: string) => string },
  port: number,
  change: PlanChange = {},
) {
  const { server = SERVER, ...rest } = change;
  return {
    install: [],
    companions: [],
    environment: {},
    secrets_file: vm.file("secrets.env"),
    key_variable: "VLLM_API_KEY",
    baked: null,
    download: null,
    serve: ["{python}", "-c", server, String(port)],
    ready_url: `http://127.0.0.1:${port}/health`,
    ready_limit_s: 20,
    poll_s: 0.05,
    ...rest,
  } satisfies ServerPlan;
}

export function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  server.stop(true);
  return server.port;
}

export async function launchAndPoll(vm: ReturnType<typeof vmDirectory>, plan: ServerPlan) {
  writeFileSync(plan.secrets_file, "VLLM_API_KEY=sk-marker-secret\nHF_TOKEN=hf_markermarker\n");
  const place = { directory: vm.directory, nonce: "n1" };
  const started = await runCell(launchCell(place, { launch: "L1", plan }));
  expect(started).toEqual({ stdout: "\n[veriroute] STARTED n1\n", stderr: "" });
  return until(async () => {
    const { stdout } = await runCell(pollCell({ ...place, nonce: "n2" }, "L1"));
    return /"phase": "(ready|failed)"/.test(stdout) ? stdout : undefined;
  });
}
