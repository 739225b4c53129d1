import { writeFileSync } from "node:fs";

import { type RunningBinary, startBinary } from "../binary.ts";
import { tempDir } from "../temp-dir.ts";
import type { Wire } from "./played.ts";
import { startVendors } from "./vendors.ts";

/** Provider types that speak a dialect, and how a request is written to them. */
const TYPES: Readonly<Record<Wire, string>> = {
  chat: "openai-compatible",
  messages: "anthropic",
  responses: "openai",
};

export const WIRES: readonly Wire[] = ["chat", "messages", "responses"];

/** What a client is pointed at. */
export interface Endpoint {
  /** Of the router, without `/v1`. */
  readonly url: string;
  readonly key: string;
  /** What stands for the model in its requests. */
  readonly model: string;
  /** How often the client may ask again; undefined leaves that to it. */
  readonly retries?: number;
}

/** The compiled router before vendors of every dialect. */
export interface ClientFleet extends AsyncDisposable {
  /** A story told by a vendor of a dialect; an instance of its own, so that no bench is shared. */
  endpoint(wire: Wire, story: string): Endpoint;
  /** Requests of clients with this model that the router has seen. */
  requestsFor(endpoint: Endpoint): Promise<number>;
  /** Settles when the router has let go of the latest call to this model. */
  dropped(endpoint: Endpoint): Promise<void>;
  readonly server: RunningBinary;
}

const ADMIN_KEY = "clients-admin-key-0123456789";
const CLIENT_KEY = "clients-client-key-0123456789";

/** `more` is TOML after the instances. */
export async function startClientFleet(
  stories: readonly string[],
  more = "",
): Promise<ClientFleet> {
  const vendors = startVendors();
  const home = tempDir();
  const instances = WIRES.flatMap((wire) =>
    stories.map(
      (story) =>
        `[providers.${instanceOf(wire, story)}]\ntype = "${TYPES[wire]}"\n` +
        `base_url = "${vendors.base_url}"\napi_key = "vendor-key"\n`,
    ),
  );
  const keys = `[server]\nclient_key = "${CLIENT_KEY}"\nadmin_key = "${ADMIN_KEY}"\n`;
  // Clients honour the wait that the router names: the shortest keeps the tests short.
  const waits = `[cooldowns]\nrate_limit = "1s"\noverloaded = "1s"\n`;
  writeFileSync(home.file("veriroute.toml"), [keys, waits, ...instances, more].join("\n"));
  const server = await startBinary(["--config", home.file("veriroute.toml")], {
    env: { HOME: home.path, VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" },
    cwd: home.path,
  });
  return {
    server,
    async dropped({ model }) {
      const asked = JSON.stringify(model.slice(model.indexOf(":") + 1));
      await vendors.requests.findLast(({ body }) => Buffer.from(body).includes(asked))?.closed;
    },
    endpoint: (wire, story) => ({
      url: server.url,
      key: CLIENT_KEY,
      model: `${instanceOf(wire, story)}:${modelOf(wire, story)}`,
    }),
    async requestsFor({ model }) {
      const path = `/admin/v1/decisions?model=${encodeURIComponent(model)}&limit=100`;
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const listed: unknown = await (await fetch(server.url + path, { headers })).json();
      const items: unknown = Reflect.get(Object(listed), "items");
      return Array.isArray(items) ? items.length : Number.NaN;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      vendors[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

const instanceOf = (wire: Wire, story: string) => `${wire}-${story}`;

/** Anthropic's rules go by the model's name, so that its stories are told by a Claude. */
const modelOf = (wire: Wire, story: string) =>
  wire === "messages" ? `claude-sonnet-4-6/${story}` : story;
