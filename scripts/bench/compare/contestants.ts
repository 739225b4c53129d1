import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Launch, start, type Started } from "../rig/start.ts";

/** A gateway that takes part, and what a request to it must carry. */
export interface Contestant {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly launch: Launch;
}

export interface Running extends Contestant, Started {}

export async function startContestant(contestant: Contestant): Promise<Running> {
  return { ...contestant, ...(await start(contestant.launch)) };
}

export interface Ground {
  /** Origin of the upstream. */
  readonly upstream: string;
  /** Processor of the gateways. */
  readonly core: number | null;
}

/** The names that results are compared by. */
export const ROUTER = "veriroute";
export const BARE = "bare";
export const NGINX = "nginx";
export const PORTKEY_NODE = "portkey under node";
export const PORTKEY_BUN = "portkey under bun";
export const PORTKEYS = [PORTKEY_NODE, PORTKEY_BUN] as const;

const RIG = join(import.meta.dir, "..", "rig");

/** What every router gets that is not its default: no look at ports of this machine that are not ours. */
const ROUTER_ENV = { VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" };

interface RouterChoice {
  readonly name: string;
  readonly binary: string;
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The router before the upstream, as `bench:m` and `bench:paced`, everything else at its defaults. */
export function router(choice: RouterChoice, { upstream, core }: Ground): Contestant {
  const { name, binary, config = "", env = {} } = choice;
  const provider = `[providers.bench]\ntype = "openai-compatible"\nbase_url = "${upstream}/v1"\nmodels = ["m", "paced"]\n`;
  return {
    name,
    headers: {},
    launch: {
      name,
      core,
      env: { ...ROUTER_ENV, ...env },
      ready_path: "/health/ready",
      words: ({ port, home }) => {
        const file = join(home, "bench.toml");
        writeFileSync(file, provider + config);
        return [binary, "serve", "--port", String(port), "--config", file];
      },
    },
  };
}

export const VERIFIER_OFF = `[profiles.bench]\nverify = "off"\n[routing]\ndefault_profile = "bench"\n`;

export function bare({ upstream, core }: Ground): Contestant {
  return {
    name: BARE,
    headers: {},
    launch: {
      name: BARE,
      core,
      env: { BUN_CONFIG_MAX_HTTP_REQUESTS: "65535" },
      ready_path: "/v1/models",
      words: ({ port }) => [process.execPath, join(RIG, "bare.ts"), String(port), upstream],
    },
  };
}

export function nginx(program: string, { upstream, core }: Ground): Contestant {
  return {
    name: NGINX,
    headers: {},
    launch: {
      name: NGINX,
      core,
      ready_path: "/v1/models",
      words: ({ port, home }) => {
        const file = join(home, "nginx.conf");
        writeFileSync(file, nginxConfig({ port, home, upstream }));
        return [program, "-p", home, "-c", file, "-e", join(home, "error.log")];
      },
    },
  };
}

interface NginxPlace {
  readonly port: number;
  readonly home: string;
  readonly upstream: string;
}

/** One worker, connections kept on both sides, nothing buffered to disk, each chunk passed on as it comes. */
function nginxConfig({ port, home, upstream }: NginxPlace): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${home}/${kind};`)
    .join("\n");
  return `daemon off;
master_process off;
pid ${home}/nginx.pid;
worker_processes 1;
events { worker_connections 4096; }
http {
  access_log off;
${temporary}
  keepalive_requests 100000000;
  client_body_buffer_size 1m;
  client_max_body_size 32m;
  upstream bench { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffering off;
    }
  }
}
`;
}

interface PortkeyChoice {
  readonly name: string;
  readonly script: string;
  readonly runtime: string;
}

export function portkey(choice: PortkeyChoice, { upstream, core }: Ground): Contestant {
  const { name, script, runtime } = choice;
  return {
    name,
    headers: {
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `${upstream}/v1`,
      authorization: "Bearer bench",
    },
    launch: {
      name,
      core,
      env: { NODE_ENV: "production" },
      words: ({ port }) => [runtime, script, `--port=${port}`, "--headless"],
    },
  };
}
