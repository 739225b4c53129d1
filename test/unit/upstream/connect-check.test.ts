import { afterEach, expect, jest, test } from "bun:test";

import type { TransportFaultKind } from "../../../src/protocol/transport-fault.ts";
import {
  type Address,
  type ConnectResult,
  createConnectCheck,
} from "../../../src/upstream/connect-check.ts";
import type { Instance } from "../../../src/upstream/instance.ts";
import { rawServer } from "./raw-server.ts";
import { sampleInstance, sampleType } from "./samples.ts";

afterEach(() => jest.useRealTimers());

const OK = { kind: "ok" } as const;
const REACHED = "192.0.2.7";
const failed = (kind: TransportFaultKind, code: string | null = null): ConnectResult => ({
  kind: "failed",
  fault: { kind, code },
});
const open = () => new AbortController().signal;
const host = (n: number) => sampleInstance({ base_url: `http://h${n}.example` });

/** A check whose connections are recorded and end as `connect` says. */
function recorded(connect: () => Promise<string> = () => Promise.resolve(REACHED)) {
  const tried: Address[] = [];
  let elapsed = 0;
  const { check, noteSuccess } = createConnectCheck({
    clock: { now: () => 0, elapsed: () => elapsed },
    connect: (address) => {
      tried.push(address);
      return connect();
    },
  });
  return { tried, check, noteSuccess, wait: (ms: number) => void (elapsed += ms) };
}

test("a host that listens passes, one that does not is refused", async () => {
  const { check } = createConnectCheck({ clock: { now: () => 0, elapsed: () => 0 } });
  using server = rawServer(() => undefined);
  const closed = rawServer(() => undefined);
  closed[Symbol.dispose]();

  expect(await check(sampleInstance({ base_url: server.url }), open())).toEqual(OK);
  expect(await check(sampleInstance({ base_url: closed.url }), open())).toEqual(
    failed("refused", "ECONNREFUSED"),
  );
});

test.each<{ base_url: string; wants: Address }>([
  { base_url: "https://api.acme.example/v1", wants: { hostname: "api.acme.example", port: 443 } },
  { base_url: "http://api.acme.example", wants: { hostname: "api.acme.example", port: 80 } },
  { base_url: "http://[::1]:8000/v1", wants: { hostname: "::1", port: 8000 } },
])("$base_url is tried at $wants", async ({ base_url, wants }) => {
  const { check, tried } = recorded();

  await check(sampleInstance({ base_url }), open());

  expect(tried).toEqual([wants]);
});

test("a host is tried at first use and again after 60 s without success", async () => {
  const { check, noteSuccess, tried, wait } = recorded();
  const counts: number[] = [];
  const use = async () => {
    await check(sampleInstance(), open());
    counts.push(tried.length);
  };

  await use();
  wait(59_999);
  await use();
  noteSuccess(sampleInstance());
  wait(59_999);
  await use();
  wait(1);
  await use();

  expect(counts).toEqual([1, 1, 1, 2]);
});

test("a failure is not remembered: the next request tries again", async () => {
  const { check, tried } = recorded(() =>
    Promise.reject(Object.assign(new Error("x"), { code: "EHOSTUNREACH" })),
  );

  const results = [await check(sampleInstance(), open()), await check(sampleInstance(), open())];

  expect(results).toEqual([failed("refused", "EHOSTUNREACH"), failed("refused", "EHOSTUNREACH")]);
  expect(tried.length).toBe(2);
});

test.each([
  "169.254.169.254",
  "::ffff:169.254.169.254",
  "fe80::a9fe:a9fe%eth0",
  "fd00:ec2::23",
  "100.100.100.200",
])("a name that leads to %s is refused, at each request anew", async (reached) => {
  const { check, tried } = recorded(() => Promise.resolve(reached));

  const results = [await check(sampleInstance(), open()), await check(sampleInstance(), open())];

  expect(results).toEqual([failed("forbidden"), failed("forbidden")]);
  expect(tried.length).toBe(2);
});

test("requests that meet at a new host share one connection", async () => {
  const { check, tried } = recorded();

  const results = await Promise.all(
    Array.from({ length: 50 }, () => check(sampleInstance(), open())),
  );

  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["ok"]));
  expect(tried.length).toBe(1);
});

test("a connection that does not open ends at the instance's limit", async () => {
  jest.useFakeTimers();
  const { check } = recorded(() => new Promise(() => undefined));
  let result: unknown;

  void check(sampleInstance(), open()).then((ended) => (result = ended));
  jest.advanceTimersByTime(4_999);
  await Promise.resolve();
  const before = result;
  jest.advanceTimersByTime(1);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();

  expect(before).toBeUndefined();
  expect(result).toEqual(failed("timeout"));
});

test("a client that leaves ends its own wait, not that of the others", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { check } = recorded(() => promise);
  const leaving = new AbortController();

  const left = check(sampleInstance(), leaving.signal);
  const stays = check(sampleInstance(), open());
  leaving.abort();
  expect(await left).toEqual(failed("abort"));
  resolve(REACHED);

  expect(await stays).toEqual(OK);
  expect(await check(sampleInstance({ base_url: "http://new" }), leaving.signal)).toEqual(
    failed("abort"),
  );
});

test.each<{ why: string; instance: Partial<Instance> }>([
  { why: "a proxy connects instead", instance: { proxy: "http://proxy:3128/" } },
  { why: "the simulator has no network", instance: { type: sampleType({ id: "sim" }) } },
])("nothing is tried where $why", async ({ instance }) => {
  const { check, tried } = recorded();

  expect(await check(sampleInstance(instance), open())).toEqual(OK);
  expect(tried).toEqual([]);
});

test("the hosts remembered are bounded, the least recent success goes first", async () => {
  const { check, noteSuccess, tried } = recorded();
  for (let n = 0; n < 513; n++) noteSuccess(host(n));

  await check(host(1), open());
  await check(host(0), open());

  expect(tried).toEqual([{ hostname: "h0.example", port: 80 }]);
});
