import { expect, test } from "bun:test";
import { join } from "node:path";

import { answer, answerOf, type HostGateway, hostGateway } from "../support/canary/gateway.ts";
import { canaryOf, round, states, watching } from "../support/canary/rounds.ts";
import { movedClock } from "../support/moved-clock.ts";
import { chat, startRouter, type TestRouter } from "../support/router.ts";

const ENFORCE = 'mode = "enforce"';

interface Probed {
  readonly endpoint: string;
  readonly role: string;
  readonly is_production: boolean;
  readonly result: string;
  readonly outcomes: readonly object[];
}

/** Rows of the last round, by host; controls under their role. */
async function lastRound(router: TestRouter): Promise<Readonly<Record<string, Probed>>> {
  await round(router);
  const { items } = Object(await router.admin("/admin/v1/canary/rounds?limit=50"));
  const [newest] = items;
  const rows = items.filter((row: { round_id: string }) => row.round_id === newest.round_id);
  return Object.fromEntries(
    rows.map((row: Probed) => {
      const host = row.endpoint.split("@")[1] ?? row.endpoint;
      return [row.role === "control" ? `control ${host}` : host, row];
    }),
  );
}

const start = (gateway: HostGateway, canary = "", more = "") =>
  startRouter({ config: watching(gateway.base_url, more, canary), clock: movedClock() });

test("a gateway that does not list its hosts has not lost them", async () => {
  using gateway = hostGateway(["one", "two", "three"]);
  await using router = await start(gateway);
  await round(router);
  gateway.listing = null;
  gateway.scripts.set("three", ({ wants_form }) => (wants_form ? "{" : ""));

  const rows = await lastRound(router);

  expect(Object.keys(rows).toSorted()).toEqual(["one", "three", "two"]);
  expect(router.log.join("\n")).toContain("could not be listed");
});

test("hosts that come and go are followed, and what was known of them stays", async () => {
  using gateway = hostGateway(["one", "two", "bad"]);
  gateway.scripts.set("bad", ({ wants_form }) => (wants_form ? "{" : ""));
  await using router = await start(gateway, ENFORCE);
  await round(router);
  await round(router);
  gateway.listing = ["one", "two", "new"];
  const without = await round(router);
  gateway.listing = ["one", "two", "bad"];
  const again = await round(router);

  const { items } = Object(await router.admin("/admin/v1/canary/suspensions?kind=vanished"));
  expect(items.map(({ host }: { host: string }) => host)).toEqual(["new", "bad"]);
  expect(states(without)).toEqual({ one: "ok", two: "ok", new: "ok", bad: "suspended" });
  expect(states(again)["bad"]).toBe("suspended");
});

test("a host that a person excludes is passed over and asked all the same; one of the file is neither", async () => {
  using gateway = hostGateway(["one", "two", "shut", "closed"]);
  const closed = '[exclusions]\n"openrouter:a/m@closed" = "known to be broken"\n';
  await using router = await start(gateway, "", closed);
  await router.post("/admin/v1/exclusions", {
    subject: "openrouter:a/m@shut",
    reason: "being watched",
  });

  const rows = await lastRound(router);
  await router.post("/v1/chat/completions", chat("openrouter:a/m"));

  expect(Object.keys(rows).toSorted()).toEqual(["one", "shut", "two"]);
  expect(rows["shut"]).toMatchObject({ is_production: false, result: "pass" });
  expect(gateway.bodies.at(-1)?.["provider"]).toEqual({ ignore: ["closed", "shut"] });
});

/** An instance, and a model of the same name, at the gateway's server. */
const at = ({ base_url }: HostGateway, name: string) =>
  `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${base_url}"\napi_key = "test"\nmodels = ["${name}"]\n`;

const POOLED = `[canary]
enabled = true
mode = "enforce"
models = ["pool:main"]
max_usd_per_day = 100
locales = ["pt"]
`;

const refusedKey = () =>
  Response.json({ error: { message: "no", code: "invalid_api_key" } }, { status: 401 });

test("members that no request can be sent to take nobody's place: the only one that serves stays", async () => {
  using gateway = hostGateway(["any"]);
  gateway.scripts.set("any", (question) =>
    question.body["model"] === "locked"
      ? refusedKey()
      : answer(question, "", { finish: "content_filter" }),
  );
  await using router = await startRouter({
    config: `${at(gateway, "box")}${at(gateway, "locked")}
[providers.openai]
[providers.ollama]
[pools.main]
targets = ["box:box", "locked:locked", "groq:llama-4", "openai:gpt-5", "ollama:m"]
${POOLED}`,
    env: { OLLAMA_HOST: "http://[" },
    clock: movedClock(),
  });
  await round(router);

  const rows = await lastRound(router);
  const served = await router.post("/v1/chat/completions", chat("pool:main"));

  expect(rows).toMatchObject({
    "box:box": { is_production: true, result: "fail" },
    "locked:locked": { is_production: false, result: "transport" },
    "groq:llama-4": { is_production: false, result: "transport" },
    "openai:gpt-5": { is_production: false, result: "transport" },
    "ollama:m": { is_production: false, result: "transport" },
  });
  expect(served.headers.get("x-veriroute-target")).toBe("box:box");
});

test("a member that is taken off the allowlist is not asked any more, nor counted", async () => {
  using gateway = hostGateway(["any"]);
  await using router = await startRouter({
    config: `${["one", "two", "off"].map((name) => at(gateway, name)).join("")}
[pools.main]
targets = ["one:one", "two:two", "off:off"]
${POOLED}`,
    clock: movedClock(),
  });
  const before = await lastRound(router);
  for (const target of ["one:one", "two:two"]) {
    await router.post("/admin/v1/allowlist", { target });
  }
  const asked = gateway.bodies.length;

  const after = await lastRound(router);

  const models = new Set(gateway.bodies.slice(asked).map(({ model }) => model));
  expect(Object.keys(before).toSorted()).toEqual(["off:off", "one:one", "two:two"]);
  expect(Object.keys(after).toSorted()).toEqual(["one:one", "two:two"]);
  expect(models).toEqual(new Set(["one", "two"]));
});

test("where a control lets the question through, nobody is blamed by it", async () => {
  using gateway = hostGateway(["one", "two", "three", "bad"]);
  gateway.scripts.set("bad", (question) =>
    question.body["max_tokens"] === 220
      ? answer(question, "", { finish: "content_filter" })
      : answerOf(question),
  );
  await using router = await start(gateway, 'controls = ["openrouter:a/m@three"]');

  const rows = await lastRound(router);
  const { endpoints } = await canaryOf(router);
  const shown = Object(await router.admin("/admin/v1/canary"));
  const notices = Object(await router.admin("/admin/v1/notifications"));

  expect(notices.items).toMatchObject([
    { kind: "canary_filter_weak", text: expect.stringContaining("openrouter:a/m@three") },
  ]);
  expect(rows["control three"]?.result).toBe("pass");
  expect(rows["bad"]?.outcomes).toContainEqual({
    contract: "filter",
    locale: null,
    result: "inconclusive",
    reason: "weak_probe",
  });
  expect(shown.is_filter_probe_weak).toBe(true);
  expect(endpoints.every(({ fail_streak }) => fail_streak === 0)).toBe(true);
});

test("what live traffic has answered well is not asked again, where the config says so", async () => {
  using gateway = hostGateway(["nobody"]);
  const plain = `[providers.box]\ntype = "openai-compatible"\nbase_url = "${gateway.base_url}"\nmodels = ["m"]\n`;
  const canary = `[canary]\nenabled = true\nmodels = ["box:m"]\nmax_usd_per_day = 100\nlocales = ["pt"]\npassive_first = true\n`;
  await using router = await startRouter({ config: plain + canary, clock: movedClock() });
  for (let n = 0; n < 5; n++) {
    const served = await router.post("/v1/chat/completions", chat("box:m", { stream: true }));
    await served.text();
  }
  const before = gateway.bodies.length;

  const { "box:m": first } = await lastRound(router);
  const asked = gateway.bodies.length - before;
  await round(router);

  expect(first?.outcomes).toContainEqual({
    contract: "ttft",
    locale: null,
    result: "pass",
    reason: "live_traffic",
  });
  expect(asked).toBe(3);
  expect(gateway.bodies.length - before - asked).toBe(4);
});

test("of hosts behind a gateway, too, live traffic answers for the one that served it", async () => {
  using gateway = hostGateway(["one", "two"]);
  await using router = await start(gateway, "passive_first = true");
  for (let n = 0; n < 5; n++) {
    const body = chat("openrouter:a/m", { stream: true });
    await (await router.post("/v1/chat/completions", body)).text();
  }

  const { one, two } = await lastRound(router);

  const ofTraffic = expect.objectContaining({ contract: "ttft", reason: "live_traffic" });
  expect(one?.outcomes).toContainEqual(ofTraffic);
  expect(two?.outcomes).not.toContainEqual(ofTraffic);
});

test("probes are nobody's traffic: no decision, no load, no breaker tells of them", async () => {
  using gateway = hostGateway(["nobody"]);
  gateway.scripts.set("nobody", () => Response.json({ error: { message: "x" } }, { status: 500 }));
  const plain = `[providers.box]\ntype = "openai-compatible"\nbase_url = "${gateway.base_url}"\nmodels = ["m"]\n`;
  const canary = `[canary]\nenabled = true\nmodels = ["box:m"]\nmax_usd_per_day = 100\nlocales = ["pt"]\n`;
  await using router = await startRouter({ config: plain + canary, clock: movedClock() });

  for (let n = 0; n < 3; n++) await round(router);

  const decisions = Object(await router.admin("/admin/v1/decisions"));
  const recent = Object(await router.admin("/v1/explain/routing"));
  const metrics = await (await router.get("/metrics")).text();
  expect(decisions.items).toEqual([]);
  expect([recent.breakers, recent.cooldowns, recent.events]).toEqual([[], [], []]);
  expect(metrics).not.toContain('veriroute_attempts_total{instance="box"');
  expect(metrics).toContain(
    'veriroute_canary_probes_total{instance="box",contract="ttft",result="transport"} 3',
  );
});

test("nothing that is stored or logged holds a prompt or an answer", async () => {
  using gateway = hostGateway(["one", "bad"]);
  const MARK = "zebra-crossing-in-the-answer";
  gateway.scripts.set("bad", () => `${MARK} ${MARK} ${MARK}`);
  await using router = await start(gateway);
  await round(router);
  await round(router);

  const prompts = gateway.bodies.map((body) => Object(body["messages"])[0].content);
  const state = join(router.directory, "state");
  const files = [...new Bun.Glob("*").scanSync(state)];
  const stored = await Promise.all(files.map((file) => Bun.file(join(state, file)).text()));
  const shown = await Promise.all(
    ["probes", "rounds", "suspensions"].map((list) => router.admin(`/admin/v1/canary/${list}`)),
  );
  const everything = [...stored, JSON.stringify(shown), ...router.log].join("\n");
  expect(prompts.length).toBeGreaterThan(8);
  expect(everything).not.toContain(MARK);
  expect(prompts.filter((prompt) => everything.includes(prompt))).toEqual([]);
});
