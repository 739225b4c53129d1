import { expect, test } from "bun:test";

import { chat, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";

const JSON_BODY = { "content-type": "application/json" };

/** A vendor of type `vercel`: it tells its balance and answers chats. */
function vendor(balance: () => unknown, status = 200) {
  return scriptedUpstream((wire, { path }) => {
    if (path.endsWith("/credits")) return wire.json({ balance: balance() });
    if (path.endsWith("/models")) return wire.json({ data: [{ id: "m" }] });
    return status === 200
      ? wire.json(completion("hi"))
      : wire.json({ error: { message: "Insufficient Balance", type: "billing_error" } }, status);
  });
}

const section = (name: string, { base_url }: { readonly base_url: string }) =>
  `[providers.${name}]\ntype = "vercel"\nbase_url = "${base_url}"\napi_key = "sk-secret"\nmodels = ["m"]\n`;

test("a probe by hand tells asked from not asked, and what cannot be asked", async () => {
  using upstream = vendor(() => "12.50");
  const config = `${section("gate", upstream)}[providers.nim]\ntype = "openai-compatible"\nbase_url = "${upstream.base_url}"\n`;
  await using router = await startRouter({ config });
  const states = async () => {
    const list = await router.get("/admin/v1/balances");
    return JSON.stringify(await list.json());
  };

  expect(await states()).toContain('"instance":"gate","amount":null,"unit":null');
  const probed = await router.get("/admin/v1/balances/probe", { method: "POST" });
  const { items } = Object(await probed.json());

  expect(items).toMatchObject([
    { instance: "gate", state: "known", amount: 12.5, unit: "usd", reason: null },
    { instance: "nim", state: "no_probe", amount: null, asked_at: null },
    { instance: "sim", state: "no_probe" },
  ]);
  expect(await states()).toContain('"state":"known"');
  const asked = upstream.requests.filter(({ path }) => path.endsWith("/credits"));
  expect(asked.map(({ method, headers }) => [method, headers.get("authorization")])).toEqual([
    ["GET", "Bearer sk-secret"],
  ]);
  expect(router.log.join("\n")).not.toContain("sk-secret");
});

test("one instance alone is asked where it is named", async () => {
  using one = vendor(() => 1);
  using other = vendor(() => 2);
  await using router = await startRouter({ config: section("a", one) + section("b", other) });

  const probed = await router.post("/admin/v1/balances/probe", { instance: "B" });

  expect(await probed.json()).toMatchObject({ items: [{ instance: "b", amount: 2 }] });
  expect(one.requests.some(({ path }) => path.endsWith("/credits"))).toBe(false);
  expect(await router.admin("/admin/v1/audit")).toMatchObject({
    items: [{ action: "balances.probe", subject: "B" }],
  });
});

test.each<{ what: string; body: string; headers?: Record<string, string>; status: number }>([
  { what: "an unknown instance", body: '{"instance":"gat"}', status: 404 },
  { what: "an unknown key", body: '{"instances":["gate"]}', status: 400 },
  { what: "a list", body: "[]", status: 400 },
  { what: "no JSON", body: "{", status: 400 },
  {
    what: "a form",
    body: "instance=gate",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
  },
])("$what is refused with $status, and nobody is asked", async ({ body, headers, status }) => {
  using upstream = vendor(() => 1);
  await using router = await startRouter({ config: section("gate", upstream) });

  const response = await router.get("/admin/v1/balances/probe", {
    method: "POST",
    body,
    headers: headers ?? JSON_BODY,
  });

  expect(response.status).toBe(status);
  expect(upstream.requests.some(({ path }) => path.endsWith("/credits"))).toBe(false);
});

test("most_credits asks at the start and goes where the money is", async () => {
  using poor = vendor(() => "1.00");
  using rich = vendor(() => "50.00");
  const pool = '[pools.main]\nstrategy = "most_credits"\ntargets = ["poor:m", "rich:m"]\n';
  const config = section("poor", poor) + section("rich", rich) + pool;
  await using router = await startRouter({ config });
  await router.post("/admin/v1/balances/probe", {});

  const answer = await router.post("/v1/chat/completions", chat("pool:main"));

  expect(answer.headers.get("x-veriroute-target")).toBe("rich:m");
});

test("an account that a vendor calls empty is known to be empty at once", async () => {
  using upstream = vendor(() => "5.00", 402);
  await using router = await startRouter({ config: section("gate", upstream) });

  await router.post("/v1/chat/completions", chat("gate:m"));

  expect(await router.admin("/admin/v1/balances")).toMatchObject({
    items: [{ instance: "gate", state: "known", amount: 0 }, { instance: "sim" }],
  });
});
