import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { leaseDirectory, leaseLockFile } from "../../../src/runtimes/places.ts";
import { acquireServeLock } from "../../../src/store/serve-lock.ts";
import { someLease } from "../../support/lease.ts";
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** What `status` says of a state directory in which this process answers for `gpu`. */
async function status(prepare: (state_dir: string) => void) {
  using dir = tempDir();
  const lock = leaseLockFile(dir.path, "gpu");
  mkdirSync(dirname(lock), { recursive: true });
  const taken = acquireServeLock(lock);
  if (taken.kind === "held") throw new Error("nobody else has it");
  prepare(dir.path);
  const env = { VERIROUTE_STATE_DIR: dir.path, HOME: dir.path };
  const result = await runCommand(["runtimes", "status"], { env });
  taken.lock.release();
  return result;
}

test("`status` names what is answered for without a file", async () => {
  const { code, stderr } = await status(() => undefined);

  expect(code).toBe(0);
  expect(stderr).toBe(
    `process ${process.pid} answers for gpu, which has no lease file: it is being made, or somebody removed it; \`veriroute runtimes down gpu\` releases it\n`,
  );
});

test("`status` says nothing of the kind where there is a file", async () => {
  const text = JSON.stringify(someLease({ name: "gpu" }));
  const { stdout, stderr } = await status((state_dir) =>
    writeFileSync(`${leaseDirectory(state_dir)}/gpu.json`, text),
  );

  expect(stdout).toContain("gpu");
  expect(stderr).not.toContain("no lease file");
});
