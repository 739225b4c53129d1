import { expect, test } from "bun:test";

import type { ApiDependencies } from "../../src/api/dependencies.ts";
import type { UpWish } from "../../src/runtimes/up/wish.ts";
import { type RuntimeView, viewOf } from "../../src/runtimes/views.ts";
import { ADMIN_KEY, bearer, CLIENT_KEY, KEYED, startApi } from "../support/api-server.ts";
import { CREATED, HOUR, someLease } from "../support/lease.ts";

const VIEW: RuntimeView = viewOf(someLease(), { now: CREATED + HOUR, watched_by: 7 });

type Runtimes = ApiDependencies["runtimes"];

/** Runtimes that do as they are told and remember what that was. */
function obedient(changes: Partial<Runtimes> = {}) {
  const asked: unknown[] = [];
  const runtimes: Runtimes = {
    list: async () => [VIEW, { ...VIEW, name: "other" }],
    find: async (name) => (name === "qwen" ? VIEW : null),
    async up(wish: UpWish) {
      asked.push(wish);
      return { ok: true, runtime: VIEW };
    },
    async down(name) {
      asked.push(name);
      return name === "qwen" ? { ok: true, runtime: VIEW } : null;
    },
    async adopt(request) {
      asked.push(request);
      return { ok: true, runtime: VIEW };
    },
    logs: async (name, lines) =>
      name === "qwen" ? { ok: true, logs: { "server.log": [String(lines)] } } : null,
    ...changes,
  };
  return { runtimes, asked };
}

test("what is shown of a runtime says what it costs and who watches it", () => {
  expect(VIEW).toEqual({
    name: "qwen",
    phase: "ready",
    target: "qwen:qwen",
    sku: "T4",
    endpoint: "gpu-t4-1",
    created_at: CREATED,
    idle_deadline: CREATED + 0.75 * HOUR,
    hard_deadline: CREATED + 4 * HOUR,
    cu_h: 1.19,
    compute_units: 1.19,
    cost_usd: 0.119,
    watched_by: 7,
    watchdog_seen_at: CREATED,
    base_url: "http://127.0.0.1:18000/v1",
    error: null,
    last_event: null,
    notice: null,
    doubts: [],
  });
});

test.each([
  { phase: "ready", watched_by: 7, billed: false },
  { phase: "ready", watched_by: null, billed: true },
  { phase: "starting", watched_by: 7, billed: false },
  { phase: "degraded", watched_by: 7, billed: true },
  { phase: "stopping", watched_by: 7, billed: true },
  { phase: "detached", watched_by: null, billed: true },
  { phase: "stopped", watched_by: null, billed: false },
  { phase: "failed", watched_by: null, billed: false },
] as const)("$phase, watched by $watched_by: MAY STILL BE BILLING is $billed", (row) => {
  const { phase, watched_by, billed } = row;

  const { notice } = viewOf(someLease({ phase }), { now: CREATED + HOUR, watched_by });

  expect(notice?.startsWith("MAY STILL BE BILLING qwen T4 ~1.19 CU/h since 2029-") ?? false).toBe(
    billed,
  );
});

test("runtimes are listed in pages and shown by name", async () => {
  await using api = await startApi(obedient());

  const page = await (await api.call("/admin/v1/runtimes?limit=1")).json();
  const one = await api.call("/admin/v1/runtimes/qwen");
  const none = await api.call("/admin/v1/runtimes/nobody");

  expect(page).toEqual({ items: [VIEW], next: "1" });
  expect([one.status, await one.json()]).toEqual([200, VIEW]);
  expect([none.status, await none.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
});

test("a wish is read with its defaults, answered with 202 and written down", async () => {
  const { runtimes, asked } = obedient();
  await using api = await startApi({ runtimes });

  const answer = await api.send("/admin/v1/runtimes", {
    repo: "Qwen/Qwen2.5-7B-Instruct",
    quant: "awq",
    gpu: "l4",
    confirmed: true,
  });
  const audit = await (await api.call("/admin/v1/audit")).json();

  expect([answer.status, await answer.json()]).toEqual([202, VIEW]);
  expect(asked).toMatchObject([
    {
      repo: "Qwen/Qwen2.5-7B-Instruct",
      name: null,
      context: 8192,
      concurrency: null,
      quant: { name: "awq" },
      gpu: "L4",
      confirmed: true,
      without_watchdog: false,
    },
  ]);
  expect(audit).toMatchObject({ items: [{ action: "runtime.up", subject: "qwen" }] });
});

test.each([
  { body: { repo: "a/b", gpu: "A10" }, status: 422, param: "gpu" },
  { body: { repo: "a/b", quant: "q99" }, status: 422, param: "quant" },
  { body: { repo: "" }, status: 400, param: "repo" },
  { body: { repo: "a/b", context: 0 }, status: 400, param: "context" },
  { body: { repo: "a/b", yes: true }, status: 400, param: "yes" },
])("$body is refused for `$param`, and nothing is rented", async ({ body, status, param }) => {
  const { runtimes, asked } = obedient();
  await using api = await startApi({ runtimes });

  const answer = await api.send("/admin/v1/runtimes", body);

  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { param } }]);
  expect(asked).toEqual([]);
});

const no = async () => ({ ok: false, problem: "renting GPUs is switched off" }) as const;

test("what is not done is 409 with the reason, and leaves no entry in the audit", async () => {
  const { runtimes } = obedient({ up: no, down: no, adopt: no });
  await using api = await startApi({ runtimes });

  const answers = [
    await api.send("/admin/v1/runtimes", { repo: "a/b", confirmed: true }),
    await api.send("/admin/v1/runtimes/qwen/down", {}),
    await api.send("/admin/v1/runtimes/adopt", { endpoint: "gpu-t4-1" }),
  ];
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  const audit = await (await api.call("/admin/v1/audit")).json();

  const error = { code: "runtime_refused", message: "renting GPUs is switched off" };
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect(bodies).toMatchObject([{ error }, { error }, { error }]);
  expect(audit).toMatchObject({ items: [] });
});

test("a release begins with 202; one that nobody knows is 404", async () => {
  const { runtimes, asked } = obedient();
  await using api = await startApi({ runtimes });

  const [known, unknown] = [
    await api.call("/admin/v1/runtimes/qwen/down", { method: "POST" }),
    await api.call("/admin/v1/runtimes/nobody/down", { method: "POST" }),
  ];

  expect([known.status, unknown.status, asked]).toEqual([202, 404, ["qwen", "nobody"]]);
});

test.each([
  { endpoint: "gpu-t4-s-kkb-usw1b1-36jsit0sm8axr", status: 201 },
  { endpoint: "../../etc/passwd", status: 400 },
  { endpoint: "a b", status: 400 },
  { endpoint: "-s", status: 400 },
])("adopting $endpoint is $status", async ({ endpoint, status }) => {
  const { runtimes, asked } = obedient();
  await using api = await startApi({ runtimes });

  const answer = await api.send("/admin/v1/runtimes/adopt", { endpoint });

  expect(answer.status).toBe(status);
  expect(asked).toEqual(status === 201 ? [{ endpoint, name: null }] : []);
});

const lines = (count: string) => ({ logs: { "server.log": [count] } });

test("logs take a number of lines", async () => {
  await using api = await startApi(obedient());

  const answers = await Promise.all(
    ["qwen/logs", "qwen/logs?lines=7", "qwen/logs?lines=0", "nobody/logs"].map(async (path) => {
      const answer = await api.call(`/admin/v1/runtimes/${path}`);
      return answer.ok ? answer.json() : answer.status;
    }),
  );

  expect(answers).toEqual([lines("50"), lines("7"), 400, 404]);
});

test("only an admin key may look or rent", async () => {
  await using api = await startApi({ ...obedient(), toml: KEYED });
  const statusWith = async (headers: Record<string, string>) => [
    (await api.call("/admin/v1/runtimes", { headers })).status,
    (await api.send("/admin/v1/runtimes", { repo: "a/b" }, { headers })).status,
  ];

  expect([
    await statusWith({}),
    await statusWith(bearer(CLIENT_KEY)),
    await statusWith(bearer(ADMIN_KEY)),
  ]).toEqual([
    [401, 401],
    [403, 403],
    [200, 202],
  ]);
});
