/**
 * The programs that are compared with, found on this machine or put into a scratch directory; nothing is
 * installed outside it. What cannot be had is null, with a message.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PORTKEY = "1.15.2";
/** Later versions break its streaming. */
const HONO_SERVER = "1.13.7";
const LIMIT_MS = 120_000;

export interface Pieces {
  readonly wrk: string | null;
  readonly nginx: string | null;
  /** The script that starts `@portkey-ai/gateway`. */
  readonly portkey: string | null;
}

export function findPieces(scratch: string): Pieces {
  mkdirSync(scratch, { recursive: true });
  return {
    wrk: fromDebian(scratch, { package: "wrk", program: "wrk", path: "usr/bin/wrk" }),
    nginx: fromDebian(scratch, { package: "nginx", program: "nginx", path: "usr/sbin/nginx" }),
    portkey: portkey(scratch),
  };
}

interface DebianProgram {
  readonly package: string;
  readonly program: string;
  readonly path: string;
}

/** The installed program, else the one unpacked from its package, which needs no root and starts nothing. */
function fromDebian(scratch: string, wanted: DebianProgram): string | null {
  const installed = Bun.which(wanted.program);
  if (installed !== null) return installed;
  const folder = join(scratch, wanted.package);
  const file = join(folder, wanted.path);
  if (!existsSync(file) && Bun.which("apt-get") !== null && Bun.which("dpkg-deb") !== null) {
    mkdirSync(folder, { recursive: true });
    run(["apt-get", "download", "-q", wanted.package], folder);
    run(["sh", "-c", 'dpkg-deb -x "$(ls -t *.deb | head -n 1)" .'], folder);
  }
  if (existsSync(file) && run([file, "-v"], folder)) return file;
  skip(wanted.program, `apt-get install ${wanted.package}`);
  return null;
}

function portkey(scratch: string): string | null {
  const folder = join(scratch, "portkey");
  const script = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (existsSync(script)) return script;
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: "bench-portkey",
    private: true,
    dependencies: { "@portkey-ai/gateway": PORTKEY },
    overrides: { "@hono/node-server": HONO_SERVER },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  run([process.execPath, "install", "--ignore-scripts"], folder);
  if (existsSync(script)) return script;
  skip("portkey", `npm install @portkey-ai/gateway@${PORTKEY} in ${folder}`);
  return null;
}

/** Whether it ended well, or at all: `wrk -v` says its version and exits with 1. */
function run(words: readonly string[], cwd: string): boolean {
  const { exitCode } = Bun.spawnSync([...words], {
    cwd,
    stdout: "ignore",
    stderr: "ignore",
    timeout: LIMIT_MS,
  });
  return exitCode === 0 || exitCode === 1;
}

function skip(what: string, how: string): void {
  console.log(`skip: ${what}: ${how}`);
}
