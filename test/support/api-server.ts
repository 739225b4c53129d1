import { connect } from "node:net";

import { createApi } from "../../src/api/create-api.ts";
import type { ApiDependencies, Unexpected } from "../../src/api/dependencies.ts";
import { LISTEN_OPTIONS } from "../../src/api/listen.ts";
import { createExclusionList } from "../../src/control/exclusion-list.ts";
import { createLiveConfig } from "../../src/control/live-config.ts";
import { createPreferences } from "../../src/control/preferences.ts";
import { hashKey } from "../../src/store/keys.ts";
import type { KeyScope, Store, StoredKey } from "../../src/store/store.ts";
import { createEventRing } from "../../src/telemetry/ring.ts";
import { type FakeRelay, fakeRelay } from "./api-relay.ts";
import { openTestStore } from "./open-store.ts";

export const NOW = 1_764_460_800_000;
export const CLIENT_KEY = "client-key-0123456789";
export const ADMIN_KEY = "admin-key-0123456789";
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Config of a router with a key of either scope. */
export const KEYED = `[server]\nclient_key = "${CLIENT_KEY}"\nadmin_key = "${ADMIN_KEY}"\n`;

export interface TestApi extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly relay: FakeRelay;
  readonly store: Store;
  readonly unexpected: Unexpected[];
  /** The router's own table; `detail` is the route's part of the API document. */
  readonly routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly detail: unknown;
  }[];
  /** The config file's text; a reload reads it again. */
  readonly file: { text: string };
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON, `POST` unless `init` says otherwise. */
  send(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

export interface ApiGiven extends Partial<Omit<ApiDependencies, "store">> {
  readonly toml?: string;
  readonly keys?: readonly StoredKey[];
  readonly storeChanges?: Partial<Store>;
}

/** The real API over a real socket and a real store, with a data plane that only records. */
export async function startApi(given: ApiGiven = {}): Promise<TestApi> {
  const { toml = "", keys = [], storeChanges = {}, ...changes } = given;
  const opened = await openTestStore();
  for (const key of keys) await opened.addKey(key);
  const store = { ...opened, ...storeChanges };
  const file = { text: toml };
  const config = liveConfig(file, store);
  const relay = fakeRelay();
  const unexpected: Unexpected[] = [];
  const api = createApi({
    version: "0.0.0-test",
    instance_id: "this-router",
    clock: { now: () => NOW, elapsed: () => 0 },
    config,
    relay,
    store,
    exclusions: createExclusionList({ config: () => config.current().config, store }),
    preferences: createPreferences({
      config: () => config.current().config,
      state: () => store.state(),
    }),
    inventory: { providers: () => [], targets: () => [], pools: () => [] },
    catalog: { rows: () => [] },
    notifications: { recent: () => [], receivers: () => [], test: async () => [] },
    canary: {
      status: () => null,
      isWaiting: () => false,
      suspensions: () => [],
      run: () => null,
      dryRun: () => Promise.reject(new Error("not of this test")),
      lift: async () => null,
    },
    balances: { views: () => [], probeNow: async () => [] },
    runtimes: NO_RUNTIMES,
    models: () => [],
    events: createEventRing(),
    metrics: { content_type: "text/plain; version=0.0.4", text: async () => "# nothing\n" },
    readiness: () => ({ status: "ready", degraded: [] }),
    newId: () => Bun.randomUUIDv7(),
    onUnexpected: (one) => void unexpected.push(one),
    ...changes,
  });
  api.listen({ ...LISTEN_OPTIONS, port: 0, hostname: "127.0.0.1" });
  const port = api.server?.port ?? 0;
  const url = `http://127.0.0.1:${port}`;
  const call = (path: string, init: RequestInit = {}) => fetch(url + path, init);
  return {
    url,
    port,
    relay,
    store,
    unexpected,
    file,
    routes: api.routes.map(({ method, path, hooks }) => ({
      method,
      path,
      detail: "detail" in hooks ? hooks.detail : null,
    })),
    call,
    send: (path, body, { headers, ...init } = {}) =>
      call(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...plain(headers) },
        ...init,
      }),
    async [Symbol.asyncDispose]() {
      await api.server?.stop(true);
      await opened.close();
    },
  };
}

const NO_RUNTIMES: ApiDependencies["runtimes"] = {
  list: async () => [],
  find: async () => null,
  up: async () => ({ ok: false, problem: "nothing is rented in tests" }),
  down: async () => null,
  adopt: async () => ({ ok: false, problem: "nothing is taken over in tests" }),
  logs: async () => null,
};

function plain(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers ?? {}).entries());
}

function liveConfig(file: { text: string }, store: Store) {
  const started = createLiveConfig({
    path: "/etc/veriroute.toml",
    env: {},
    store,
    readFile: () => ({ ok: true, text: file.text, mode: 0o600 }),
  });
  if (!started.ok) throw new Error(started.problems.map(({ message }) => message).join("\n"));
  return started.live;
}

export function storedKey(key: string, scope: KeyScope, changes: Partial<StoredKey> = {}) {
  return {
    id: `id-of-${key}`,
    name: key,
    scope,
    hash: hashKey(key),
    prefix: key.slice(0, 8),
    created_at: NOW,
    revoked_at: null,
    profile: null,
    ...changes,
  };
}

/** What `api` answers to bytes no ordinary client would send; `head` ends before the blank line. */
export function rawCall(port: number, head: string, body = ""): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.on("close", () => resolve(answer));
  socket.on("error", reject);
  return promise;
}
