/**
 * What kill -9 costs: how old the oldest decision is that a client had its answer of and the database
 * lacks. Every second kill hits a deletion of expired decisions. `bun scripts/bench/crash.ts [--kills N]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { binaryPath, startBinary } from "../../test/support/binary.ts";
import { fillWithExpired } from "../../test/support/expired-decisions.ts";
import { startLoad } from "../../test/support/load.ts";
import { databaseIn, integrityOf, outcomesIn, runIn } from "../../test/support/state-directory.ts";

const EXPIRED = 60_000;
const CONNECTIONS = 64;
const LOAD_MS = 1500;

const { values } = parseArgs({ options: { kills: { type: "string", default: "6" } } });
const directory = mkdtempSync(join(tmpdir(), "veriroute-bench-"));
try {
  binaryPath();
  fillWithExpired(databaseIn(directory), EXPIRED);
  for (let kill = 1; kill <= Number(values.kills); kill++) await killUnderLoad(kill % 2 === 1);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function killUnderLoad(isPruning: boolean): Promise<void> {
  await using server = await startBinary([], runIn(directory, { VERIROUTE_LOG_LEVEL: "warn" }));
  const load = startLoad(server.url, { connections: CONNECTIONS });
  const pruned = isPruning ? prune(server.url) : null;
  await Bun.sleep(LOAD_MS);
  const killed = performance.now();
  server.signal("SIGKILL");
  await Promise.all([server.exited, load.stop(), pruned]);

  const integrity = integrityOf(databaseIn(directory));
  const outcomes = outcomesIn(databaseIn(directory));
  const lost = load.finished.filter(({ request_id }) => outcomes.get(request_id) !== "ok");
  const oldest = Math.max(0, ...lost.map(({ at }) => killed - at));
  console.log(
    `${isPruning ? "while deleting" : "otherwise     "}: ${load.finished.length} answered, ` +
      `${lost.length} lost, the oldest ${oldest.toFixed(0)} ms before; integrity ${integrity}`,
  );
}

/** Settles when it is done or the server is gone. */
async function prune(url: string): Promise<void> {
  try {
    await fetch(`${url}/admin/v1/store/prune`, { method: "POST" });
  } catch {
    // The kill came first, which is the point.
  }
}
