import { join } from "node:path";

import { createApp, type RunningApp, type StartRequest } from "../../src/app.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { tempDir } from "./temp-dir.ts";

export interface TestRouter extends AsyncDisposable {
  readonly url: string;
  readonly app: RunningApp;
  /** Where its state and its config file are. */
  readonly directory: string;
  /** Log lines written so far. */
  readonly log: readonly string[];
  /** Posts JSON; text and bytes go out as they are. */
  post(
    path: string,
    body: object | string | Uint8Array<ArrayBuffer>,
    init?: RequestInit,
  ): Promise<Response>;
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The admin API's JSON at a path. */
  admin(path: string): Promise<unknown>;
}

export interface RouterOptions extends Partial<Pick<StartRequest, "clock" | "random" | "env">> {
  /** TOML; `[server]` may be left out: it listens on a free port and looks for no local servers. */
  readonly config?: string;
}

/** The real app on a free port, with its own state directory and no environment but what is given. */
export async function startRouter({
  config = "",
  env = {},
  ...rest
}: RouterOptions = {}): Promise<TestRouter> {
  const directory = tempDir();
  const file = join(directory.path, "veriroute.toml");
  await Bun.write(file, config);
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const started = await createApp({
    ...rest,
    paths: { state_dir: join(directory.path, "state"), config_file: file },
    env: { VERIROUTE_SERVER_PORT: "0", VERIROUTE_ROUTING_DISCOVER_LOCAL: "false", ...env },
    version: "0.0.0-test",
    log,
  });
  if (!started.ok) throw new Error(started.problems.join("\n"));
  const { app } = started;
  return {
    url: app.url,
    app,
    directory: directory.path,
    log: lines,
    post: (path, body, init = {}) =>
      fetch(app.url + path, {
        method: "POST",
        proxy: false,
        ...init,
        headers: {
          "content-type": "application/json",
          ...Object.fromEntries(new Headers(init.headers)),
        },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    get: (path, init) => fetch(app.url + path, { proxy: false, ...init }),
    admin: async (path) => (await fetch(app.url + path, { proxy: false })).json(),
    async [Symbol.asyncDispose]() {
      await app.stop();
      directory[Symbol.dispose]();
    },
  };
}

/** A chat request with one user message. */
export function chat(model: string, more: object = {}): object {
  return { model, messages: [{ role: "user", content: "hi" }], ...more };
}

/** Config of one instance named `name` at a scripted upstream. */
export function provider(name: string, base_url: string, more = ""): string {
  return `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${base_url}"\nmodels = ["m"]\n${more}\n`;
}

/** A pool named `main` of model `m` at these instances. */
export function pool(...instances: string[]): string {
  return `[pools.main]\ntargets = [${instances.map((name) => `"${name}:m"`).join(", ")}]\n`;
}
