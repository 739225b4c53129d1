/** Google's own command, in a virtual environment, against a stand-in for Google's side of it. */
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { warmPython } from "./warm-python.ts";

/** The version that the fake's texts were read from. */
export const COLAB_VERSION = "0.7.5";

/** Shared by all runs on this machine: making it takes half a minute. */
const PLACE = join(tmpdir(), `veriroute-google-colab-cli-${COLAB_VERSION}`);
const PYTHON = join(PLACE, "bin", "python");
const DONE = join(PLACE, "complete");

export type RealColab =
  | { readonly kind: "installed"; readonly python: string; readonly program: string }
  | { readonly kind: "missing"; readonly reason: string };

/** Installs it unless it is there. Needs Python 3.12 or newer and a package index. */
export function installRealColab(): RealColab {
  const program = join(PLACE, "bin", "colab");
  if (existsSync(DONE)) return { kind: "installed", python: PYTHON, program };
  const python = newPython();
  if (python === undefined)
    return missing("no Python 3.12 or newer: apt-get install python3.12-venv");
  if (!succeeds([python, "-m", "venv", "--clear", PLACE])) {
    return missing("`python -m venv` fails: apt-get install python3-venv");
  }
  const packages = `google-colab-cli==${COLAB_VERSION}`;
  if (!succeeds([PYTHON, "-m", "pip", "install", "--quiet", "--retries=1", packages])) {
    return missing(`\`pip install ${packages}\` fails`);
  }
  writeFileSync(DONE, "");
  return { kind: "installed", python: PYTHON, program };
}

function missing(reason: string): RealColab {
  return { kind: "missing", reason };
}

function succeeds(command: string[]): boolean {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  return Bun.spawnSync(command, { env, stdout: "ignore", stderr: "ignore" }).success;
}

/** By its name on the path, and where pyenv keeps its versions. */
function newPython(): string | undefined {
  const shims = dirname(Bun.which("python3") ?? "/usr/bin/python3");
  const versions = [
    ...new Bun.Glob("3.*/bin/python3").scanSync(existing(join(shims, "..", "versions"))),
  ];
  const named = ["python3.14", "python3.13", "python3.12", "python3"].map((name) =>
    Bun.which(name),
  );
  const found = [...named, ...versions.map((path) => join(shims, "..", "versions", path))];
  return found.find(
    (path): path is string =>
      path !== null &&
      succeeds([path, "-c", "import sys, venv; sys.exit(sys.version_info < (3, 12))"]),
  );
}

function existing(directory: string): string {
  return existsSync(directory) ? directory : tmpdir();
}

/** What the command loads, but for itself and what looks at the home meanwhile. */
const MODULES = [
  "requests",
  "google.auth.transport.requests",
  "google.oauth2.service_account",
  "jupyter_kernel_client",
  "jupyter_client",
  "nbformat",
  "filelock",
  "pydantic",
  "typer",
  "typer.rich_utils",
  "rich.markdown",
  "html2text",
  "pygments.lexers",
];

/** Makes commands that are the real one in all but the time that it takes to load what it needs. */
export async function warmColab(python: string, directory: string) {
  const env = { PATH: "/usr/bin:/bin", TYPER_USE_RICH: "0", PYTHONUTF8: "1" };
  const warm = await warmPython({ python, directory, modules: MODULES, env });
  return {
    /** As it is. */
    plain: (path: string) => warm.write(path, "from colab_cli.cli import main\nmain()\n"),
    /** Its Google is at `origin` and asks for no login. */
    redirected: (path: string, origin: string) => warm.write(path, redirected(origin)),
    [Symbol.dispose]: () => warm[Symbol.dispose](),
  };
}

function redirected(origin: string): string {
  const place = JSON.stringify(origin);
  return `
import requests
from colab_cli import cli, client, common
common.Prod = lambda: client.Prod(domain=${place}, api=${place})
common.get_credentials = lambda *args, **named: requests.Session()
cli.main()
`;
}

export interface GoogleStandIn extends Disposable {
  readonly origin: string;
  /** Status that the path's next answers have, by the beginning of the path. */
  readonly fail: (path: string, status: number) => void;
  readonly machines: Map<string, string>;
  /** Content of files that were put on machines, by path. */
  readonly uploads: Map<string, string>;
  readonly bearers: string[];
}

/** What the command asks of Google for everything but cells and ssh. */
export function googleStandIn(): GoogleStandIn {
  const machines = new Map<string, string>();
  const uploads = new Map<string, string>();
  const failing = new Map<string, number>();
  const bearers: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      for (const [path, status] of failing) {
        if (url.pathname.startsWith(path)) return new Response("no", { status });
      }
      if (url.pathname.startsWith("/api/contents/")) {
        return request.method === "GET" ? download(url) : upload(request, url);
      }
      return guarded(answer(request, url));
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const proxy = () => ({ token: "stand-in-proxy-token", tokenExpiresInSeconds: 3600, url: origin });

  async function upload(request: Request, url: URL): Promise<Response> {
    const body: unknown = await request.json();
    bearers.push(url.searchParams.get("colab-runtime-proxy-token") ?? "");
    uploads.set(
      url.pathname.slice("/api/contents".length),
      atob(String(Reflect.get(Object(body), "content"))),
    );
    return Response.json({ name: "x" });
  }

  function download({ pathname }: URL): Response {
    const content = uploads.get(pathname.slice("/api/contents".length));
    if (content === undefined) return new Response("no", { status: 404 });
    return Response.json({ type: "file", format: "base64", content: btoa(content) });
  }

  function assign({ method }: Request, { searchParams }: URL): unknown {
    const accelerator = searchParams.get("accelerator") ?? "NONE";
    const isGpu = accelerator !== "NONE";
    const nbh = searchParams.get("nbh");
    if (method === "GET") {
      return { acc: accelerator, nbh, token: "xsrf", variant: isGpu ? "GPU" : "DEFAULT" };
    }
    const endpoint = `gpu-${accelerator.toLowerCase()}-s-kkb-usw1b1-${machines.size}a`;
    machines.set(endpoint, accelerator);
    return { accelerator, endpoint, variant: isGpu ? 1 : 0, runtimeProxyInfo: proxy() };
  }

  function assignments(): unknown {
    const listed = [...machines].map(([endpoint, accelerator]) => ({
      accelerator,
      endpoint,
      variant: accelerator === "NONE" ? 0 : 1,
      machineShape: 0,
      runtimeProxyInfo: proxy(),
    }));
    return { assignments: listed };
  }

  function unassign({ method }: Request, { pathname }: URL): unknown {
    const endpoint = /^\/tun\/m\/unassign\/(.+)$/.exec(pathname)?.[1] ?? "";
    if (!machines.has(endpoint)) return undefined;
    if (method === "POST") machines.delete(endpoint);
    return { token: "xsrf" };
  }

  function answer(request: Request, url: URL): unknown {
    const usage = { currentBalance: 289.8125, consumptionRateHourly: 1.19 };
    switch (url.pathname) {
      case "/tun/m/assign":
        return assign(request, url);
      case "/tun/m/assignments":
        return assignments();
      case "/tun/m/ccu-info":
        return { ...usage, assignmentsCount: machines.size };
      default:
        return unassign(request, url);
    }
  }

  return {
    origin,
    fail: (path, status) => void failing.set(path, status),
    machines,
    uploads,
    bearers,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** Google's answers begin with what keeps them from being scripts. */
function guarded(value: unknown): Response {
  if (value === undefined) return new Response("no", { status: 404 });
  return new Response(`)]}'\n${JSON.stringify(value)}`);
}
