import { writeFileSync } from "node:fs";

import type OpenAI from "openai";

import { type RunningBinary, startBinary } from "./binary.ts";
import type { Sdk } from "./sdk.ts";
import { tempDir } from "./temp-dir.ts";

const CLIENT_KEY = "sdk-client-key-0123456789";
const ADMIN_KEY = "sdk-admin-key-0123456789";

/** The compiled router with a key of either scope. */
export interface SdkFleet extends AsyncDisposable {
  readonly server: RunningBinary;
  /** A client that does not retry, unless `options` says so. */
  client(sdk: Sdk, options?: ConstructorParameters<typeof OpenAI>[0]): OpenAI;
  /** The text that someone with the admin key gets at a path. */
  admin(path: string): Promise<string>;
  latestDecision(): Promise<unknown>;
}

/** Starts the binary on a config that says which instances there are. */
export async function startSdkFleet(providers: string): Promise<SdkFleet> {
  const home = tempDir();
  const keys = `[server]\nclient_key = "${CLIENT_KEY}"\nadmin_key = "${ADMIN_KEY}"\n`;
  writeFileSync(home.file("veriroute.toml"), `${keys}\n${providers}`);
  const server = await startBinary(["--config", home.file("veriroute.toml")], {
    env: { HOME: home.path, VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" },
    cwd: home.path,
  });
  const admin = async (path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    return (await fetch(server.url + path, { headers })).text();
  };
  return {
    server,
    admin,
    latestDecision: async () => JSON.parse(await admin("/admin/v1/decisions?limit=1")).items[0],
    client: ({ OpenAI: Client }, options) =>
      new Client({ baseURL: `${server.url}/v1`, apiKey: CLIENT_KEY, maxRetries: 0, ...options }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}
