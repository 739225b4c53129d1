import { afterEach, expect, jest, test } from "bun:test";

import { createDiscovery } from "../../src/control/discovery.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { DiscoveryChange } from "../../src/upstream/discovery-change.ts";
import type { Fetch } from "../../src/upstream/fetch.ts";
import type { Instance } from "../../src/upstream/instance.ts";
import { createRegistry } from "../../src/upstream/registry.ts";
import { identity, sampleConfig, sampleInstance } from "../unit/upstream/samples.ts";

afterEach(() => jest.useRealTimers());

interface Machine {
  /** What stands on the usual ports, by port; nobody listens on the others. */
  readonly ports?: Record<string, string>;
  readonly fetch?: Fetch;
  readonly configured?: readonly Instance[];
}

/** Discovery on a machine whose usual ports lead to these loopback servers. */
function discovering({ ports = {}, configured = [], fetch: given }: Machine) {
  const toPorts: Fetch = (url, init) => {
    const { port, pathname } = new URL(url);
    // Port 1 is nobody's, so the connection is refused as it would be.
    return fetch(`${ports[port] ?? "http://127.0.0.1:1"}${pathname}`, init);
  };
  const registry = createRegistry();
  registry.replaceConfigured(configured);
  const changes: DiscoveryChange[] = [];
  let discover_local = true;
  const discovery = createDiscovery({
    registry,
    fetch: given ?? toPorts,
    identity,
    clock: systemClock,
    random: () => 0.5,
    routing: () => sampleConfig({ routing: { discover_local } }).routing,
    ownPort: () => null,
    report: (change) => changes.push(change),
  });
  return {
    registry,
    changes,
    discovery,
    switchLocal: (on: boolean) => void (discover_local = on),
    names: () => registry.list().map(({ name }) => name),
    [Symbol.dispose]: () => discovery.stop(),
  };
}

function server(fetch: (request: Request) => Response) {
  return Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
}

const ollama = () =>
  server(({ url }) =>
    new URL(url).pathname === "/api/tags"
      ? Response.json({ models: [{ name: "qwen3:8b", digest: "d" }] })
      : new Response("", { status: 404 }),
  );

test("the first round finds a local server and lists a configured instance", async () => {
  using local = ollama();
  using vendor = server(() => Response.json({ data: [{ id: "gpt" }] }));
  const ports = { "11434": local.url.origin, "9999": vendor.url.origin };
  const configured = [sampleInstance({ base_url: "http://127.0.0.1:9999/v1" })];
  using machine = discovering({ ports, configured });

  machine.discovery.start();
  await machine.discovery.firstRound;

  expect(machine.names()).toEqual(["acme", "ollama"]);
  expect(machine.registry.listing("acme").models).toEqual(["gpt"]);
  expect(machine.registry.listing("ollama").models).toEqual(["qwen3:8b"]);
  expect(machine.changes.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { kind: "found", instance: "ollama", models: 1 },
    { kind: "listed", instance: "acme", models: 1 },
  ]);
});

test("a server that goes away leaves the registry with the next look", async () => {
  const local = ollama();
  using machine = discovering({ ports: { "11434": local.url.origin } });
  machine.discovery.start();
  await machine.discovery.firstRound;

  await local.stop(true);
  await machine.discovery.refresh();

  expect(machine.names()).toEqual([]);
});

test("switched off by a reload, discovery forgets what it found", async () => {
  using local = ollama();
  using machine = discovering({ ports: { "11434": local.url.origin } });
  machine.discovery.start();
  await machine.discovery.firstRound;

  machine.switchLocal(false);
  await machine.discovery.refresh();

  expect(machine.names()).toEqual([]);
});

/** Lets what waits on settled promises run; no time passes. */
async function settle() {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** Answers nobody until its signal ends the wait. */
const stalled: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

test("a first round that stalls keeps nobody waiting longer than a second", async () => {
  jest.useFakeTimers();
  using machine = discovering({ fetch: stalled, configured: [sampleInstance()] });
  let over = false;

  machine.discovery.start();
  void machine.discovery.firstRound.then(() => (over = true));
  jest.advanceTimersByTime(999);
  await settle();
  const before = over;
  jest.advanceTimersByTime(1);
  await settle();

  expect([before, over]).toEqual([false, true]);
});

test("local ports are asked every 30 s, an instance's listing every ten minutes", async () => {
  jest.useFakeTimers();
  const asked: string[] = [];
  const counting: Fetch = (url) => {
    const { host } = new URL(url);
    asked.push(host);
    return host === "api.acme.example"
      ? Promise.resolve(Response.json({ data: [{ id: "gpt" }] }))
      : Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" }));
  };
  using machine = discovering({ fetch: counting, configured: [sampleInstance()] });
  const count = (host: string) => asked.filter((one) => one === host).length;

  machine.discovery.start();
  for (let second = 0; second < 605; second += 5) {
    await settle();
    jest.advanceTimersByTime(5_000);
  }
  await settle();

  expect(count("127.0.0.1:8000")).toBe(21);
  expect(count("api.acme.example")).toBe(2);
});

test("stopping ends open calls and timers and lets waiters go", async () => {
  jest.useFakeTimers();
  let aborted = 0;
  let calls = 0;
  const watched: Fetch = (url, init) => {
    calls++;
    init.signal.addEventListener("abort", () => aborted++);
    return stalled(url, init);
  };
  const machine = discovering({ fetch: watched });
  machine.discovery.start();
  await settle();
  const open = calls;

  machine.discovery.stop();
  await machine.discovery.firstRound;
  await settle();
  const ended = aborted;
  jest.runOnlyPendingTimers();
  await settle();

  expect({ open, ended, calls }).toEqual({ open: 4, ended: 4, calls: 4 });
  expect(jest.getTimerCount()).toBe(0);
  expect(machine.changes).toEqual([]);
});
