import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Bridge } from "../colab/driver.ts";
import type { Program, RunCommand } from "../command.ts";

export interface SshRequest {
  readonly bridge: Bridge;
  /** The runtime's directory, 0700: key and known hosts are in it. */
  readonly directory: string;
  readonly local_port: number;
  /** On the machine's loopback. */
  readonly remote_port: number;
}

export function identityPath(directory: string): string {
  return join(directory, "ssh-key");
}

const KEYGEN_MS = 20_000;

/** Makes the runtime's key unless it is there. Null, or why it cannot be made. */
export async function makeIdentity(
  run: RunCommand,
  { directory, path }: { readonly directory: string; readonly path: string },
): Promise<string | null> {
  const identity = identityPath(directory);
  if (existsSync(identity) && existsSync(`${identity}.pub`)) return null;
  rmSync(identity, { force: true });
  rmSync(`${identity}.pub`, { force: true });
  // Colab takes no RSA keys.
  const result = await run({
    argv: ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "veriroute", "-f", identity],
    env: { PATH: path },
    timeout_ms: KEYGEN_MS,
  });
  if (result.kind === "exited" && result.code === 0) {
    chmodSync(identity, 0o600);
    return null;
  }
  if (result.kind === "not_started") return `${result.reason}; install the OpenSSH client`;
  return `\`ssh-keygen\` failed: ${result.stderr.trim().slice(0, 200)}`;
}

/** Forwards a local port to one on the machine until the connection ends. */
export function sshCommand({ bridge, directory, local_port, remote_port }: SshRequest): Program {
  const options = {
    ProxyCommand: bridge.argv.map(shellWord).join(" "),
    // The first connection pins the machine's key, later ones must find the same; the file goes
    // with the runtime, and the bridge itself is TLS to Google.
    StrictHostKeyChecking: "accept-new",
    UserKnownHostsFile: `"${join(directory, "known_hosts")}"`,
    GlobalKnownHostsFile: "/dev/null",
    HashKnownHosts: "no",
    UpdateHostKeys: "no",
    LogLevel: "ERROR",
    BatchMode: "yes",
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    ForwardAgent: "no",
    ConnectTimeout: "60",
    ServerAliveInterval: "15",
    ServerAliveCountMax: "3",
    ExitOnForwardFailure: "yes",
  };
  const forward = `127.0.0.1:${local_port}:127.0.0.1:${remote_port}`;
  return {
    argv: [
      ...(["ssh", "-F", "/dev/null", "-N", "-T"] as const),
      ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
      "-i",
      identityPath(directory),
      "-L",
      forward,
      "root@colab-runtime",
    ],
    env: bridge.env,
    cwd: directory,
  };
}

/** ssh runs the proxy command through a shell, after replacing `%` sequences. */
function shellWord(word: string): string {
  const escaped = word.replaceAll("%", "%%");
  return /^[\w@+=:,./-]+$/.test(escaped) ? escaped : `'${escaped.replaceAll("'", `'\\''`)}'`;
}
