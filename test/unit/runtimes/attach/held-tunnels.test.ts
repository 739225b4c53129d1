import { expect, test } from "bun:test";

import { createHeldTunnels } from "../../../../src/runtimes/attach/held-tunnels.ts";
import type { Tunnel } from "../../../../src/runtimes/tunnel/open-tunnel.ts";
import { someLease } from "../../../support/lease.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const never = () => new Promise<never>(() => undefined);

test.each<{ what: string; close: Tunnel["close"]; waits: number[] }>([
  { what: "hangs", close: never, waits: [10_000] },
  { what: "ends at once", close: async () => undefined, waits: [] },
])("the end of a tunnel that $what holds up no release", async ({ close, waits }) => {
  using dir = tempDir();
  const lease = someLease({ name: "a", endpoint: "gpu-1", served_model: "qwen", tunnel_pid: null });
  const waited: number[] = [];
  const tunnel: Tunnel = {
    state: () => ({ kind: "running", pid: 1, since: 0 }),
    changed: never,
    retryNow: () => undefined,
    close,
  };
  const tunnels = createHeldTunnels({
    driver: { directory: () => dir.path },
    run: never,
    openTunnel: () => tunnel,
    freePort: () => 18_000,
    fetch: async () => Response.json({ object: "list", data: [{ id: "qwen", object: "model" }] }),
    clock: { elapsed: () => 0 },
    // Ends only with the turn of the loop, so that what is over at once comes first.
    pause: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true) waited.push(ms);
    },
    path: "",
    moved: () => undefined,
  });
  const opened = await tunnels.open(lease);

  await tunnels.close("a");

  expect(opened).toMatchObject({ pid: 1 });
  expect([tunnels.placeOf("a"), waited]).toEqual([null, waits]);
});
