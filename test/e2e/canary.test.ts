import { expect, test } from "bun:test";

import type { Clock } from "../../src/lib/clock.ts";
import { answer, answerOf, hostGateway, type HostScript } from "../support/canary/gateway.ts";
import { canaryOf, round, states, watching } from "../support/canary/rounds.ts";
import { movedClock } from "../support/moved-clock.ts";
import { chat, startRouter } from "../support/router.ts";
import { interleave } from "../unit/verify/language/texts.ts";

const SPANISH =
  "Esta mañana bajé hasta el puerto porque la panadería todavía estaba cerrada. En el camino encontré a una vecina que me contó la historia de su perro, y terminamos tomando un café juntas antes de volver a casa bajo la lluvia.";

/** So many times as fast as the test's own, so that a slow host needs not be waited for. */
const HASTE = 40;

function hastyClock(): Clock & { move(ms: number): void } {
  const clock = movedClock();
  return { ...clock, elapsed: () => performance.now() * HASTE };
}

const BAD: Readonly<Record<string, HostScript>> = {
  slow: async (question) => {
    await Bun.sleep(11_000 / HASTE);
    return answerOf(question);
  },
  strict: (question) => answer(question, "", { finish: "content_filter" }),
  foreign: (question) => (question.wants_form ? answerOf(question) : SPANISH),
  broken: (question) => (question.wants_form ? '{"a": ' : answerOf(question)),
  mixed: (question) =>
    question.wants_form ? answerOf(question) : interleave(answerOf(question), SPANISH),
  stray: (() => {
    let count = 0;
    return (question) => {
      const isSpared = question.wants_form || count++ % 20 === 19;
      return isSpared ? answerOf(question) : `，${answerOf(question)}`;
    };
  })(),
  other: (question) => answer(question, answerOf(question), { provider: "Somebody" }),
};

test("after two rounds exactly the bad hosts are suspended, and traffic passes them over", async () => {
  using gateway = hostGateway(["one", "two", "three", ...Object.keys(BAD)]);
  for (const [host, script] of Object.entries(BAD)) gateway.scripts.set(host, script);
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock: hastyClock(),
  });

  const first = states(await round(router));
  const second = states(await round(router));
  const served = await router.post("/v1/chat/completions", {
    ...chat("openrouter:a/m"),
    provider: { ignore: ["two"], sort: "price" },
  });

  expect(Object.values(first)).not.toContain("suspended");
  expect(second).toEqual({
    one: "ok",
    two: "ok",
    three: "ok",
    slow: "suspended",
    strict: "suspended",
    foreign: "suspended",
    broken: "suspended",
    mixed: "suspended",
    stray: "suspended",
    // Whoever answers for another says nothing of the one that was asked.
    other: "ok",
  });
  expect(served.status).toBe(200);
  expect(gateway.bodies.at(-1)?.["provider"]).toEqual({
    ignore: ["broken", "foreign", "mixed", "slow", "stray", "strict", "two"],
    sort: "price",
  });
}, 60_000);

test("in observe mode the same is told and nothing done", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", BAD["strict"] ?? answerOf);
  await using router = await startRouter({
    config: watching(gateway.base_url),
    clock: movedClock(),
  });

  await round(router);
  await round(router);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));

  const { items } = Object(await router.admin("/admin/v1/canary/suspensions?kind=would_suspend"));
  const report = Object(await router.admin("/admin/v1/canary/report"));
  const notices = Object(await router.admin("/admin/v1/notifications"));
  expect(items).toMatchObject([
    { endpoint: "openrouter:a/m@bad", detail: expect.stringContaining("filter: content_filter") },
  ]);
  expect(states(await canaryOf(router))["bad"]).toBe("ok");
  expect(gateway.bodies.at(-1)?.["provider"]).toBeUndefined();
  expect(report.counts).toEqual({ borne_out: 0, not_borne_out: 0, unclear: 1 });
  expect(JSON.stringify(notices)).toContain("canary_would_suspend");
});

test("two clean rounds bring a host back early", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", BAD["broken"] ?? answerOf);
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock: movedClock(),
  });
  await round(router);
  const suspended = states(await round(router))["bad"];
  gateway.scripts.delete("bad");

  const still = states(await round(router))["bad"];
  const back = states(await round(router))["bad"];

  expect([suspended, still, back]).toEqual(["suspended", "suspended", "ok"]);
});

test("a person lifts a suspension, and forgives; everybody can see who did", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", BAD["broken"] ?? answerOf);
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock: movedClock(),
  });
  await round(router);
  await round(router);
  const before = Object(await router.admin("/v1/explain/routing"));

  const lifted = await router.post("/admin/v1/canary/lift", {
    endpoint: "openrouter:a/m@bad",
    forgive: true,
  });
  const unknown = await router.post("/admin/v1/canary/lift", { endpoint: "openrouter:a/m@nobody" });

  const { items } = Object(await router.admin("/admin/v1/audit"));
  const after = Object(await router.admin("/v1/explain/routing"));
  expect(before.suspensions).toMatchObject([{ endpoint: "openrouter:a/m@bad", host: "bad" }]);
  expect(await lifted.json()).toMatchObject({ state: "ok", level: 0, until_at: null });
  expect(unknown.status).toBe(404);
  expect(after.suspensions).toEqual([]);
  expect(JSON.stringify(items)).toContain("canary.lift");
});

test("the floor holds when too few hosts would be left, and somebody is told", async () => {
  using gateway = hostGateway(["one", "bad", "worse"]);
  gateway.scripts.set("bad", BAD["strict"] ?? answerOf);
  gateway.scripts.set("worse", BAD["strict"] ?? answerOf);
  await using router = await startRouter({
    config: watching(gateway.base_url, "", 'mode = "enforce"'),
    clock: movedClock(),
  });

  await round(router);
  const after = states(await round(router));

  const { items } = Object(await router.admin("/admin/v1/canary/suspensions?kind=floor_alert"));
  expect(Object.values(after).filter((state) => state === "suspended")).toHaveLength(1);
  expect(items).toHaveLength(1);
});

test("a target of its own is left out of plans, unless a client names it", async () => {
  using gateway = hostGateway(["nobody"]);
  const plain = (name: string) =>
    `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${gateway.base_url}"\nmodels = ["${name}"]\n`;
  // All share one server, which tells them apart by their model.
  gateway.scripts.set("nobody", (question) =>
    question.body["model"] === "bad"
      ? answer(question, "", { finish: "content_filter" })
      : answerOf(question),
  );
  await using router = await startRouter({
    config: `${["bad", "good", "fine"].map(plain).join("")}
[pools.main]
targets = ["bad:bad", "good:good", "fine:fine"]
[canary]
enabled = true
mode = "enforce"
models = ["pool:main"]
max_usd_per_day = 100
locales = ["pt"]
`,
    clock: movedClock(),
  });

  await round(router);
  await round(router);
  const pooled = await router.post("/v1/chat/completions", chat("pool:main"));
  const named = await router.post("/v1/chat/completions", chat("bad:bad"));

  expect(pooled.headers.get("x-veriroute-target")).toBe("good:good");
  expect(named.headers.get("x-veriroute-target")).toBe("bad:bad");
});

test("no question is sent that could pass the budget, and a spent one counts as no answer", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", BAD["strict"] ?? answerOf);
  await using router = await startRouter({
    config: watching(gateway.base_url).replace("max_usd_per_day = 1", "max_usd_per_day = 0.0003"),
    clock: movedClock(),
  });

  for (let n = 0; n < 4; n++) await round(router);

  const shown = Object(await router.admin("/admin/v1/canary"));
  const { items } = Object(await router.admin("/admin/v1/canary/rounds?limit=3"));
  const notices = JSON.stringify(await router.admin("/admin/v1/notifications"));
  expect(shown.spending.usd_today).toBeLessThanOrEqual(0.0003);
  expect(shown.spending.usd_today).toBeGreaterThan(0);
  expect(items.map(({ result }: { result: string }) => result)).toEqual(Array(3).fill("transport"));
  expect(notices.match(/"canary_budget"/g)).toHaveLength(1);
});
