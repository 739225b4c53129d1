import { systemClock } from "../../src/lib/clock.ts";
import { createMachineCalls } from "../../src/runtimes/bootstrap/machine.ts";
import { createColabDriver } from "../../src/runtimes/colab/create-driver.ts";
import { createCommands } from "../../src/runtimes/create-commands.ts";
import { systemPause } from "../../src/runtimes/pause.ts";
import { openTunnel, type Tunnel } from "../../src/runtimes/tunnel/open-tunnel.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { installFakeColab } from "./fake-colab/install.ts";
import { tempDir } from "./temp-dir.ts";

/** The key of the model server, and a text that may be found nowhere else. */
export const SECRET = "sk-marker-4f1c";

/** The driver on the fake as a program, with real processes; `ssh` puts the fake one first on the path. */
export function colabProcesses({ ssh }: { readonly ssh: "fake" | "real" }) {
  const dir = tempDir();
  const fake = installFakeColab(dir.file("fake"), { ssh: ssh === "fake" });
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const commands = createCommands({ log, clock: systemClock });
  const path = `${fake.bin}:${process.env["PATH"] ?? ""}`;
  const driver = createColabDriver({
    run: commands.run,
    clock: systemClock,
    root: dir.file("state/colab"),
    userHome: dir.file("home"),
    env: { PATH: path, HF_TOKEN: SECRET },
    program: "colab",
    auth: "oauth2",
  });
  const machine = createMachineCalls({ driver, name: "a", nonce: () => Bun.randomUUIDv7() });
  const end = () => dir[Symbol.dispose]();
  return { dir, fake, lines, commands, path, driver, machine, [Symbol.dispose]: end };
}

export type ColabProcesses = ReturnType<typeof colabProcesses>;

export interface Ports {
  readonly local_port: number;
  readonly remote_port: number;
}

export function tunnelTo(rig: ColabProcesses, endpoint: string, ports: Ports): Tunnel {
  const { driver, commands, path } = rig;
  const { run, start } = commands;
  return openTunnel(
    { driver, run, start, clock: systemClock, random: () => 0, pause: systemPause, path },
    { name: "a", endpoint, ...ports },
  );
}

/** A model server, on the machine as the tunnel sees it. */
export function modelServer() {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      request.headers.get("authorization") === `Bearer ${SECRET}`
        ? Response.json({ data: [{ id: "qwen" }] })
        : new Response(null, { status: 401 }),
  });
  return { port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) };
}

/** A machine named `a` whose server is up; its endpoint. */
export async function rentAndServe(rig: ColabProcesses): Promise<string> {
  const created = await rig.driver.create({ name: "a", sku: "T4" });
  if (created.kind !== "created") throw new Error(created.fault.message);
  await rig.machine.sendSecrets({ VLLM_API_KEY: SECRET });
  const launched = await rig.machine.launch("L1", PLAN);
  if (launched.kind !== "ok") throw new Error(launched.fault.detail);
  return created.endpoint;
}

/** Of a plan the fake reads the name of the model, no more. */
const PLAN = {
  install: [],
  companions: [],
  environment: {},
  secrets_file: "",
  key_variable: "",
  baked: null,
  download: null,
  serve: ["--served-model-name=qwen"],
  ready_url: "",
  ready_limit_s: 1,
  poll_s: 1,
} as const;
