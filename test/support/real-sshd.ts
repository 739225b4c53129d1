/** OpenSSH's server as a machine's: one process a connection, on the bridge's own streams, so no port is taken. */
import { test as plainTest } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";

import { type RunTest, testWith } from "./skip.ts";
import type { TempDir } from "./temp-dir.ts";

/** The machine's user is root, as whom only root can let anybody in. */
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stdout.write("skip: sshd: only root can let anybody in as root\n");

export const testWithSshd: RunTest = isRoot ? testWith("sshd") : plainTest.skip;

/** Beside the others of its file, where machines can live. */
export const testWithMachines: RunTest = isRoot
  ? testWith("python3", testWith("ssh", testWith("sshd", plainTest.concurrent)))
  : plainTest.skip;

/** A config that lets root in with the key that the bridge names; its path. The host key lies beside it. */
export function sshdConfig(dir: Pick<TempDir, "file">): string {
  newHostKey(dir);
  // Made at boot where sshd runs as a service.
  mkdirSync("/run/sshd", { recursive: true });
  const config = dir.file("sshd_config");
  const lines = ["PermitRootLogin yes", "StrictModes no", "UsePAM no", "PidFile none"];
  writeFileSync(
    config,
    [`HostKey ${dir.file("host-key")}`, ...lines, "LogLevel ERROR", ""].join("\n"),
  );
  return config;
}

export function newHostKey(dir: Pick<TempDir, "file">): void {
  const script = `rm -f "$1" "$1.pub"; ssh-keygen -q -t ed25519 -N "" -f "$1"`;
  Bun.spawnSync(["sh", "-c", script, "sh", dir.file("host-key")], {
    env: { PATH: process.env["PATH"] ?? "" },
  });
}
