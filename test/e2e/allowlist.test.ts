import { expect, test } from "bun:test";

import { type Fleet, startFleet } from "../support/fleet.ts";
import { chat, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";

const POOL = '[pools]\nmain = ["a:m", "b:m"]\n';
const BASE = "/admin/v1/allowlist";

const start = (config = POOL) => startFleet({ instances: ["a", "b", "c"], config });

const allow = (fleet: Fleet, target: string) => fleet.call("POST", BASE, { target });

/** Candidates of the pool, each with the codes that keep it out. */
async function plan(fleet: Fleet): Promise<string[]> {
  const { body } = await fleet.call("POST", "/v1/routing/explain", chat("pool:main"));
  return body.plan.candidates.map(({ target, reasons }) =>
    [target, ...reasons.map(({ code }) => code)].join(" "),
  );
}

test("the first entry puts the list in force, the last one's removal ends that", async () => {
  await using fleet = await start();

  expect(await plan(fleet)).toEqual(["a:m", "b:m"]);
  expect(await allow(fleet, "b:m")).toEqual<unknown>({
    status: 201,
    body: { target: "b:m", source: "store" },
  });
  expect(await plan(fleet)).toEqual(["b:m", "a:m not_allowed"]);
  expect((await allow(fleet, "b:m")).status).toBe(200);
  expect(await fleet.call("DELETE", `${BASE}/b:m`)).toEqual<unknown>({
    status: 200,
    body: { target: "b:m", enforced: false },
  });
  expect(await plan(fleet)).toEqual(["a:m", "b:m"]);
});

test("what is not allowed is never asked, not even by its full name", async () => {
  await using fleet = await start();
  await allow(fleet, "b:*");

  const pooled = await fleet.router.post("/v1/chat/completions", chat("pool:main"));
  const direct = await fleet.router.post("/v1/chat/completions", chat("a:m"));

  expect([pooled.status, pooled.headers.get("x-veriroute-target")]).toEqual([200, "b:m"]);
  expect(direct.status).toBe(503);
  expect(await direct.json()).toMatchObject({
    error: {
      code: "no_target_available",
      message: expect.stringContaining("not on the allowlist"),
    },
  });
  expect(fleet.asked()).toBe("a:0 b:1 c:0");
  const models = await (await fleet.router.get("/v1/models")).text();
  expect(models).toContain('"id":"b:m"');
  expect(models).not.toContain('"id":"a:m"');
});

test("it beats credentials that the environment happens to have", async () => {
  await using fleet = await startFleet({
    instances: ["a"],
    config: '[pools]\nmain = ["groq:llama-4", "a:m"]\n[allowlist]\ntargets = ["a:*"]\n',
    env: { GROQ_API_KEY: "stray" },
  });

  expect(await plan(fleet)).toEqual<unknown>(["a:m", "groq:llama-4 not_allowed"]);
});

test("the file can switch it off with entries, and on without any", async () => {
  await using off = await start(`${POOL}[allowlist]\nenabled = false\ntargets = ["b:m"]\n`);
  await using on = await start(`${POOL}[allowlist]\nenabled = true\n`);

  expect(await plan(off)).toEqual<unknown>(["a:m", "b:m"]);
  expect(await plan(on)).toEqual<unknown>(["a:m not_allowed", "b:m not_allowed"]);
});

test("counts follow the filter, also where the catalogue stays folded", async () => {
  await using fleet = await start(`${POOL}[allowlist]\ntargets = ["a:*", "b:m"]\n`);
  await allow(fleet, "c:m");
  const show = async (query: string) => (await fleet.call("GET", `${BASE}${query}`)).body;

  expect(await show("")).toEqual<unknown>({
    enforced: true,
    allowed: {
      count: 3,
      items: [
        { target: "a:*", source: "file" },
        { target: "b:m", source: "file" },
        { target: "c:m", source: "store" },
      ],
    },
    catalog: { count: expect.any(Number), items: null, next: null },
  });
  expect(await show("?filter=B:&expand=catalog")).toEqual<unknown>({
    enforced: true,
    allowed: { count: 1, items: [{ target: "b:m", source: "file" }] },
    catalog: { count: 1, items: [{ target: "b:m", allowed: true }], next: null },
  });
  const first = await show("?filter=:m&expand=catalog&limit=2");
  const rest = await show(`?filter=:m&expand=catalog&limit=2&cursor=${first.catalog.next}`);
  expect([...first.catalog.items, ...rest.catalog.items]).toEqual<unknown>([
    { target: "a:m", allowed: true },
    { target: "b:m", allowed: true },
    { target: "c:m", allowed: true },
    { target: "sim:mojibake", allowed: true },
  ]);
  expect([first.catalog.count, rest.catalog.next]).toEqual([4, null]);
});

test("entries with slashes can be taken off in either spelling", async () => {
  await using fleet = await start();
  await allow(fleet, "a:z-ai/glm-5.3");
  await allow(fleet, "b:z-ai/*");

  expect((await fleet.call("DELETE", `${BASE}/a:z-ai/glm-5.3`)).status).toBe(200);
  expect(
    (await fleet.call("DELETE", `${BASE}/${encodeURIComponent("b:z-ai/*")}`)).body,
  ).toEqual<unknown>({
    target: "b:z-ai/*",
    enforced: false,
  });
  const { items } = (await fleet.call("GET", "/admin/v1/audit")).body;
  expect(items.map(({ action }) => action)).toEqual([
    "allowlist.remove",
    "allowlist.remove",
    "allowlist.add",
    "allowlist.add",
  ]);
});

test.each<{ method: string; path?: string; body?: object; status: number; says: string }>([
  {
    method: "POST",
    body: { target: "nobody:m" },
    status: 422,
    says: "`nobody` is neither an instance nor a provider type",
  },
  { method: "POST", body: { target: "a" }, status: 422, says: "write `a:*` to allow them all" },
  { method: "POST", body: { target: "a:m?x=1" }, status: 422, says: "leave `x` out" },
  { method: "POST", body: {}, status: 400, says: "`target` is missing" },
  { method: "DELETE", path: "/a:m", status: 409, says: "defined" },
  { method: "DELETE", path: "/a:x", status: 404, says: "`a:x` is not on the allowlist" },
  { method: "GET", path: "?expand=all", status: 400, says: "it must be `catalog`" },
  { method: "GET", path: "?cursor=x", status: 400, says: "`cursor`" },
])("$method $path $body is refused: $says", async ({ method, path = "", body, status, says }) => {
  await using fleet = await start(`${POOL}[allowlist]\ntargets = ["a:m"]\n`);
  const refused = await fleet.call(method, `${BASE}${path}`, body);

  expect(refused.status).toBe(status);
  expect(JSON.stringify(refused.body.error)).toContain(says);
  expect((await fleet.call("GET", BASE)).body.allowed.count).toBe(1);
});

test.each([
  { path: "/v1/chat/completions", more: {} },
  { path: "/v1/messages", more: { max_tokens: 9 } },
  { path: "/v1/responses", more: { input: "hi" } },
])("a gateway is not told at $path to fall back to what is not allowed", async ({ path, more }) => {
  using gateway = scriptedUpstream((wire) => wire.json(completion("ok")));
  await using router = await startRouter({
    config: `[providers.openrouter]
base_url = "${gateway.base_url}"
api_key = "k"
[allowlist]
targets = ["openrouter:a/*"]
`,
  });
  const ask = chat("openrouter:a/b", { models: ["a/c", "x/y"], ...more });

  const response = await router.post(path, ask);

  expect(await response.text()).toContain("`models` has `x/y`, which is not on the allowlist");
  expect(gateway.requests.filter(({ method }) => method === "POST")).toEqual([]);
});
