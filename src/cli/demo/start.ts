import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { VERSION } from "../version.ts";
import { type DemoRouter, FLEET_CONFIG } from "./fleet.ts";

export type DemoStart =
  | { readonly ok: true; readonly router: DemoRouter }
  | { readonly ok: false; readonly exit_code: number; readonly problems: readonly string[] };

/**
 * Starts a router on the fleet, in a temporary directory that goes when it stops. The environment
 * is left out: no credential, state directory or setting of the user plays a part.
 */
export async function startRouter(): Promise<DemoStart> {
  const { createApp } = await import("../../app.ts");
  const directory = mkdtempSync(join(tmpdir(), "veriroute-demo-"));
  const clear = () => rmSync(directory, { recursive: true, force: true });
  try {
    const config_file = join(directory, "veriroute.toml");
    writeFileSync(config_file, FLEET_CONFIG);
    const paths = { state_dir: join(directory, "state"), config_file };
    const started = await createApp({ paths, env: {}, version: VERSION });
    if (started.ok) return { ok: true, router: routerOf(started.app, clear) };
    clear();
    return started;
  } catch (error) {
    clear();
    throw error;
  }
}

interface App extends Pick<DemoRouter, "url"> {
  readonly simulator: Pick<DemoRouter, "setFault">;
  readonly stop: () => Promise<unknown>;
}

function routerOf({ url, simulator, stop }: App, clear: () => void): DemoRouter {
  return {
    url,
    setFault: (...fault) => simulator.setFault(...fault),
    async stop() {
      try {
        await stop();
      } finally {
        clear();
      }
    },
  };
}
