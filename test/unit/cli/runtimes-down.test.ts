import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { leaseDirectory, leaseLockFile } from "../../../src/runtimes/places.ts";
import { acquireServeLock } from "../../../src/store/serve-lock.ts";
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

const SHOWN = {
  name: "gpu",
  phase: "stopping",
  target: null,
  base_url: null,
  created_at: null,
  compute_units: null,
  cost_usd: null,
  error: null,
  notice: null,
  last_event: null,
};

/** A server that begins every release, and then shows this; null: it knows of none. */
function serverThatShows(runtime: object | null) {
  const missing = { error: { code: "not_found", message: "no", param: null, details: null } };
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      if (request.method === "POST") return Response.json(SHOWN);
      return runtime === null ? Response.json(missing, { status: 404 }) : Response.json(runtime);
    },
  });
}

async function down(runtime: object | null) {
  using dir = tempDir();
  using server = serverThatShows(runtime);
  const env = { VERIROUTE_STATE_DIR: dir.path, HOME: dir.path };
  const url = `http://127.0.0.1:${server.port}`;
  return await runCommand(["runtimes", "down", "gpu", "--url", url], { env });
}

test("a release is told as proven only once the server shows it so", async () => {
  const { code, stdout } = await down({ ...SHOWN, phase: "stopped" });

  expect([code, stdout]).toEqual([0, "gpu is released: two listings lack its machine\n"]);
});

test("a server that knows of no such runtime any more proves nothing", async () => {
  const { code, stdout, stderr } = await down(null);

  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "the server knows of no `gpu` any more, which proves nothing; `veriroute runtimes status --check` says what runs\n",
  );
});

/** The same in the state directory of that server, which answers for `gpu` or not; no file says what it is. */
async function downAtHome(isHeld: boolean) {
  using dir = tempDir();
  using server = serverThatShows({ ...SHOWN, phase: "stopped" });
  mkdirSync(leaseDirectory(dir.path));
  const served = lockAt(join(dir.path, "serve.lock"));
  served.announce(`http://127.0.0.1:${server.port}`);
  const held = isHeld ? lockAt(leaseLockFile(dir.path, "gpu")) : null;
  const env = { VERIROUTE_STATE_DIR: dir.path, HOME: dir.path };
  const result = await runCommand(["runtimes", "down", "gpu"], { env });
  held?.release();
  served.release();
  return result;
}

function lockAt(path: string) {
  const taken = acquireServeLock(path);
  if (taken.kind === "held") throw new Error("nobody else has it");
  return taken.lock;
}

test("one without a file is released through whoever answers for it", async () => {
  expect(await downAtHome(true)).toMatchObject({
    code: 0,
    stdout: "gpu is released: two listings lack its machine\n",
  });
});

test("one without a file that nobody answers for is none", async () => {
  const { code, stderr } = await downAtHome(false);

  expect([code, stderr]).toEqual([
    1,
    "veriroute runtimes: there is no runtime `gpu`; `veriroute runtimes status` lists them\n",
  ]);
});
