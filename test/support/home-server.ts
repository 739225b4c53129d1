import { writeFileSync } from "node:fs";

import { type RunningBinary, startBinary } from "./binary.ts";
import { tempDir } from "./temp-dir.ts";

/** The compiled router on a config of its own, in a home that goes with it. */
export async function serveConfig(config: string): Promise<RunningBinary> {
  const home = tempDir();
  writeFileSync(home.file("veriroute.toml"), config);
  const server = await startBinary(["--config", home.file("veriroute.toml")], {
    env: { HOME: home.path, VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" },
    cwd: home.path,
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}
