import { describe, expect, test } from "bun:test";

import { formatProblem } from "../../../src/config/problem.ts";
import {
  type ConfigChange,
  createLiveConfig,
  type LiveConfig,
} from "../../../src/control/live-config.ts";
import type { KeyScope, StoredKey, StoredState } from "../../../src/store/store.ts";
import { storedState } from "../../support/stored-state.ts";

const TEXT = '[pools]\nmain = "sim:echo"\nother = "sim:story"\n[log]\nlevel = "warn"';

/** A store that other processes may write to, and a file that a person may edit. */
function surroundings(text: string, keys: readonly StoredKey[] = []) {
  let state = storedState({ keys });
  const listeners: ((state: StoredState) => void)[] = [];
  const change = (next: Partial<StoredState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener(state);
  };
  const disk = { text };
  return {
    disk,
    change,
    stored: () => state.overrides,
    dependencies: {
      path: "/etc/veriroute.toml",
      env: {},
      readFile: () => ({ ok: true as const, text: disk.text, mode: 0o600 }),
      store: {
        state: () => state,
        onStateChange: (listener: (state: StoredState) => void) => void listeners.push(listener),
        setOverride: async (key: string, json: string) =>
          change({ overrides: { ...state.overrides, [key]: json } }),
        deleteOverride: async (key: string) => {
          const { [key]: removed, ...overrides } = state.overrides;
          change({ overrides });
          return removed !== undefined;
        },
      },
    },
  };
}

function start(text = TEXT, keys: readonly StoredKey[] = []) {
  const around = surroundings(text, keys);
  const started = createLiveConfig(around.dependencies);
  if (!started.ok) throw new Error(started.problems.map((p) => formatProblem(p)).join("\n"));
  const changes: (readonly string[])[] = [];
  started.live.onChange(({ changed }) => changes.push(changed));
  return { ...around, live: started.live, changes };
}

const key = (scope: KeyScope, revoked_at: number | null = null): StoredKey => ({
  id: scope,
  name: scope,
  scope,
  hash: "",
  prefix: "",
  created_at: 0,
  revoked_at,
  profile: null,
});

const level = (live: LiveConfig) => live.current().config.log.level;

describe("starting", () => {
  test("with a bad file gives all its problems and no config", () => {
    const started = createLiveConfig(surroundings("[log]\nlevl = 1\n[x]\n").dependencies);

    expect(started).toMatchObject({ ok: false, problems: [{ line: 2 }, { line: 3 }] });
  });

  test("beyond loopback needs stored keys that are still in use", () => {
    const open = '[server]\nhost = "0.0.0.0"';
    const ok = (keys: readonly StoredKey[]) =>
      createLiveConfig(surroundings(open, keys).dependencies).ok;

    expect(ok([key("client"), key("admin")])).toBe(true);
    expect(ok([key("client"), key("admin", 5)])).toBe(false);
  });
});

describe("a reload", () => {
  test("puts the new file in force and says what changed", async () => {
    const { live, disk, changes } = start();
    disk.text = TEXT.replace("warn", "error").replace("sim:story", "sim:slow");

    expect(await live.reload()).toEqual({
      ok: true,
      changed: ["pools.other.targets", "log.level"],
      restart: [],
    });
    expect(level(live)).toBe("error");
    expect(changes).toEqual([["pools.other.targets", "log.level"]]);
  });

  test("of an unchanged file tells nobody", async () => {
    const { live, changes } = start();

    expect(await live.reload()).toEqual({ ok: true, changed: [], restart: [] });
    expect(changes).toEqual([]);
  });

  test.each([
    { name: "a syntax error", text: "[log" },
    { name: "an unknown key", text: "[log]\nlevl = 1" },
    { name: "a missing variable", text: '[server]\nadmin_key = "${NONE}"' },
  ])("of a file with $name keeps the running config as a whole", async ({ text }) => {
    const { live, disk, changes } = start();
    const before = live.current();
    disk.text = text;

    const result = await live.reload();

    expect(result).toMatchObject({ ok: false, problems: [{ source: "/etc/veriroute.toml" }] });
    expect(live.current()).toBe(before);
    expect(changes).toEqual([]);
  });

  test("leaves host and port where they are bound and names them as waiting", async () => {
    const { live, disk } = start();
    disk.text = '[server]\nhost = "127.0.0.2"\nport = 9000\ndrain = "1s"';

    expect(await live.reload()).toMatchObject({
      ok: true,
      restart: ["server.host", "server.port"],
    });
    expect(live.current()).toMatchObject({
      config: { server: { host: "127.0.0.1", port: 8484, drain: "1s" } },
      restart: ["server.host", "server.port"],
    });
  });

  test("cannot take the keys away that the bound address needs", async () => {
    const keys = 'client_key = "c"\nadmin_key = "a"';
    const { live, disk } = start(`[server]\nhost = "0.0.0.0"\n${keys}`);
    disk.text = '[server]\nhost = "127.0.0.1"';

    expect(await live.reload()).toMatchObject({ ok: false, problems: [{ path: "server.host" }] });
    expect(live.current().config.server.admin_key).toBe("a");
  });

  test("does not beat a stored value", async () => {
    const { live, disk } = start();
    await live.set("log.level", "debug");
    disk.text = TEXT.replace("warn", "error");

    await live.reload();

    expect(level(live)).toBe("debug");
    expect(live.current().sources["log.level"]).toBe("store");
  });

  test("names changed secrets, never their values", async () => {
    const { live, disk } = start('[providers.groq]\napi_key = "sk-old"');
    disk.text = '[providers.groq]\napi_key = "sk-new"';

    expect(JSON.stringify(await live.reload())).toBe(
      '{"ok":true,"changed":["providers.groq.api_key"],"restart":[]}',
    );
  });
});

describe("a setting changed at run time", () => {
  test("is stored and in force at once; taking it back falls to the layer below", async () => {
    const { live, stored, changes } = start();

    expect(await live.set("log.level", "debug")).toEqual({ ok: true });
    expect([level(live), stored()]).toEqual(["debug", { "log.level": '"debug"' }]);
    expect(await live.unset("log.level")).toEqual({ ok: true });
    expect([level(live), stored()]).toEqual(["warn", {}]);
    expect(await live.unset("log.level")).toEqual({ ok: true });
    expect(changes).toEqual([["log.level"], ["log.level"]]);
  });

  test("is in force although the file on disk is broken meanwhile", async () => {
    const { live, disk } = start();
    disk.text = "[log";

    await live.set("routing.max_attempts", 5);

    expect(live.current().config.routing.max_attempts).toBe(5);
    expect(level(live)).toBe("warn");
  });

  test("does not take over what was edited in the file but not reloaded", async () => {
    const { live, disk } = start();
    disk.text = TEXT.replace("warn", "error");

    await live.set("routing.max_attempts", 5);

    expect(level(live)).toBe("warn");
  });

  test.each([
    { key: "server.port", value: 1, code: "config_key_not_writable" },
    { key: "server.admin_key", value: "k", code: "config_key_not_writable" },
    { key: "providers.box.base_url", value: "http://h", code: "config_key_not_writable" },
    { key: "__proto__", value: 1, code: "config_key_not_writable" },
    { key: "log.level", value: "loud", code: "invalid_value" },
    { key: "log.level", value: null, code: "invalid_value" },
    { key: "log.level", value: undefined, code: "invalid_value" },
    { key: "routing.max_attempts", value: "3", code: "invalid_value" },
    { key: "routing.max_attempts", value: 0, code: "invalid_value" },
    { key: "routing.max_attempts", value: 2.5, code: "invalid_value" },
    { key: "routing.default_pool", value: "", code: "invalid_value" },
    { key: "routing.default_pool", value: "mian", code: "invalid_value" },
    { key: "routing.default_pool", value: { a: 1 }, code: "invalid_value" },
  ] as const)("is refused for $key = $value as $code", async ({ key: name, value, code }) => {
    const { live, stored } = start();

    expect(await live.set(name, value)).toMatchObject({ ok: false, code });
    expect(stored()).toEqual({});
  });

  test("is refused with what is known instead", async () => {
    const { live } = start();

    expect(await live.set("routing.default_pool", "mian")).toEqual({
      ok: false,
      code: "invalid_value",
      message: "`routing.default_pool`: there is no pool `mian`; did you mean `main`?",
    });
    expect(await live.unset("server.port")).toEqual({
      ok: false,
      code: "config_key_not_writable",
      message:
        "`server.port` cannot be changed at run time, only `routing.default_pool`, `routing.default_profile`, `routing.max_attempts`, `routing.on_refusal`, `canary.mode`, `log.level`; edit the config file and reload",
    });
  });

  test("by another process takes effect when the store says so", () => {
    const { live, change, changes } = start();

    change({ overrides: { "routing.default_pool": '"other"' } });
    change({ keys: [key("client")] });

    expect(live.current().config.routing.default_pool).toBe("other");
    expect(changes).toEqual([["routing.default_pool"]]);
  });

  test("whose pool a reload removes is passed over with a warning", async () => {
    const { live, disk } = start();
    await live.set("routing.default_pool", "other");
    disk.text = '[pools]\nmain = "sim:echo"';

    expect(await live.reload()).toMatchObject({ ok: true });
    expect(live.current().config.routing.default_pool).toBeUndefined();
    expect(live.current().warnings).toMatchObject([{ path: "routing.default_pool" }]);
  });
});

test("a listener sees the new config in place, and nothing after it left", async () => {
  const { live, disk } = start();
  const seen: ConfigChange[] = [];
  const leave = live.onChange((change) => {
    seen.push(change);
    expect(live.current().config).toBe(change.config);
  });

  await live.set("log.level", "debug");
  leave();
  await live.set("log.level", "info");
  disk.text = "";
  await live.reload();

  expect(seen).toMatchObject([{ changed: ["log.level"], config: { log: { level: "debug" } } }]);
});

test("values are shown with their layer, secrets masked", () => {
  const { live } = start('[providers.groq]\napi_key = "sk-hidden"\n[aliases]\n"a.b*" = "groq:m"');

  const values = live.values();

  expect(JSON.stringify(values)).not.toContain("hidden");
  expect(values).toContainEqual({
    key: "providers.groq.api_key",
    value: "set",
    source: "file",
    writable: false,
  });
  expect(values).toContainEqual({
    key: "server.admin_key",
    value: "unset",
    source: "default",
    writable: false,
  });
  expect(values).toContainEqual({
    key: 'aliases."a.b*"',
    value: "groq:m",
    source: "file",
    writable: false,
  });
  expect(values).toContainEqual({
    key: "log.level",
    value: "info",
    source: "default",
    writable: true,
  });
  expect(values).toContainEqual({
    key: "routing.default_pool",
    value: null,
    source: "default",
    writable: true,
  });
});
