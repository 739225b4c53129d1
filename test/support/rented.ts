import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { runBinary, type RunningBinary, type RunResult, startBinary } from "./binary.ts";
import { type InstalledColab, installFakeColab } from "./fake-colab/install.ts";
import { FAST_ENVIRONMENT } from "./fast-timers.ts";
import { slots } from "./slots.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";
import { until } from "./until.ts";

/** A model that the bundled table knows, so that no hub has to be asked. */
export const REPO = "Qwen/Qwen2.5-1.5B-Instruct";

/** Texts that may turn up nowhere: the user's token, and what a client says. */
export const HF_TOKEN = "hf_marker0123456789abcdef";

/** Rents it under the name `gpu`. */
export const UP = ["up", REPO, "--name", "gpu", "--yes"] as const;

export interface Rented extends AsyncDisposable {
  readonly dir: TempDir;
  readonly state_dir: string;
  readonly colab: InstalledColab;
  /** What the model server was asked with, as the `authorization` of each request. */
  readonly keys: ReadonlySet<string>;
  /** Holds back the end of answers until it is called. */
  hold(): () => void;
  /** Has the model server fail from now on. */
  fail(): void;
  readonly serve: (...args: readonly string[]) => Promise<RunningBinary>;
  /** Runs `veriroute runtimes …` to its end. */
  readonly run: (...args: readonly string[]) => Promise<RunResult>;
  readonly options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string };
  readonly lease: (name: string) => Record<string, unknown> | null;
  readonly configure: (runtimes: string, more?: string) => void;
}

/** These tests wait for most of their time, so some of a file run side by side; more would be short of cores. */
const enter = slots(3);

/** The compiled router on the fake of Colab, with a model server that stands for the machine's. */
export async function rented(runtimes = ""): Promise<Rented> {
  const place = await enter();
  const dir = tempDir();
  const colab = installFakeColab(dir.file("fake"), { ssh: true });
  const model = fakeModel();
  colab.server.transact((state) => void (state.vm_port = model.port));
  const state_dir = dir.file("state");
  const config = dir.file("veriroute.toml");
  const configure = (text: string, more = "") =>
    writeFileSync(config, `${more}\n[runtimes]\nenabled = true\n${text}\n`);
  configure(runtimes);
  const options = {
    cwd: dir.path,
    env: {
      ...FAST_ENVIRONMENT,
      PATH: `${colab.bin}:${process.env["PATH"] ?? ""}`,
      HOME: dir.path,
      HF_TOKEN,
      // Nothing listens there, so the bundled table is asked.
      HF_ENDPOINT: "http://127.0.0.1:9",
      VERIROUTE_STATE_DIR: state_dir,
      VERIROUTE_CONFIG: config,
      VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
      VERIROUTE_LOG_LEVEL: "debug",
    },
  };
  return {
    dir,
    state_dir,
    colab,
    keys: model.keys,
    hold: () => model.hold(),
    fail: () => model.fail(),
    options,
    configure,
    serve: (...args) => startBinary(args, options),
    run: (...args) => runBinary(["runtimes", ...args], options),
    lease(name) {
      const path = `${state_dir}/runtimes/${name}.json`;
      return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
    },
    async [Symbol.asyncDispose]() {
      // A connection goes with its machine, and what carries it with the connection.
      colab.server.transact((state) => void (state.machines = []));
      await until(() => !isInUse(dir.path));
      model.stop();
      dir[Symbol.dispose]();
      place[Symbol.dispose]();
    },
  };
}

/** Whether an ssh or a bridge of this test still runs; a router that was killed leaves them. */
function isInUse(directory: string): boolean {
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return words.includes("--proxy-mode") && words.includes(directory);
    } catch {
      return false;
    }
  });
}

/** Lists the model and echoes what it is told; a stream goes on until nobody holds it back. */
function fakeModel() {
  const keys = new Set<string>();
  let held: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      if (hasFailed) return new Response("out of memory", { status: 500 });
      keys.add(request.headers.get("authorization") ?? "none");
      if (new URL(request.url).pathname === "/v1/models") {
        return Response.json({ object: "list", data: [{ id: REPO, object: "model" }] });
      }
      return answer(request, held);
    },
  });
  return {
    port: server.port ?? 0,
    keys,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    fail: () => void (hasFailed = true),
    stop: () => void server.stop(true),
  };
}

function delta(content: string, finish_reason: string | null): string {
  const choices = [{ index: 0, delta: { content }, finish_reason }];
  const chunk = { id: "c", object: "chat.completion.chunk", model: REPO, choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

async function answer(request: Request, held: Promise<void>): Promise<Response> {
  if (!(await request.text()).includes('"stream":true')) {
    return Response.json({
      id: "c",
      object: "chat.completion",
      model: REPO,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "rented words" },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  }
  const body = async function* () {
    yield delta("rented ", null);
    await held;
    yield delta("words", "stop");
    yield "data: [DONE]\n\n";
  };
  return new Response(body(), { headers: { "content-type": "text/event-stream" } });
}

/** Asks the router for words of the rented model. */
export function askRented(url: string, model: string, stream = false): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "tell" }] }),
  });
}
