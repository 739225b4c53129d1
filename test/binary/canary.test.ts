import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";

import { runBinary, type RunningBinary, startBinary } from "../support/binary.ts";
import { hurried } from "../support/canary/fast-clock.ts";
import { answer, answerOf, hostGateway, type HostScript } from "../support/canary/gateway.ts";
import { watching } from "../support/canary/rounds.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

const HASTE = 20;
const SPANISH =
  "Esta mañana bajé hasta el puerto porque la panadería todavía estaba cerrada. En el camino encontré a una vecina que me contó la historia de su perro, y terminamos tomando un café juntas antes de volver a casa bajo la lluvia.";

const BAD: Readonly<Record<string, HostScript>> = {
  broken: (question) => (question.wants_form ? '{"a": ' : answerOf(question)),
  foreign: (question) => (question.wants_form ? answerOf(question) : SPANISH),
  slow: async (question) => {
    await Bun.sleep(11_000 / HASTE);
    return answerOf(question);
  },
  strict: (question) => answer(question, "", { finish: "content_filter" }),
};
const other: HostScript = (question) =>
  answer(question, answerOf(question), { provider: "Somebody" });
const BAD_HOSTS = Object.keys(BAD);

const directory = tempDir();
const gateway = hostGateway(["one", "two", "three", ...BAD_HOSTS, "other"]);
const epoch = Date.now();
const config = join(directory.path, "veriroute.toml");
const place = () => runIn(directory.path, hurried(HASTE, epoch));
const start = () => startBinary(["--config", config], place());
let server: RunningBinary;

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  gateway[Symbol.dispose]();
  directory[Symbol.dispose]();
});

const canary = (...words: string[]) => runBinary(["canary", ...words], place());

async function json(...words: string[]): Promise<ReturnType<typeof Object>> {
  const { stdout, stderr } = await canary(...words, "--json");
  if (stdout === "") throw new Error(stderr);
  return Object(JSON.parse(stdout));
}

interface Named {
  readonly kind: string;
  readonly endpoint: string;
  readonly state: string;
}

const hostOf = ({ endpoint }: Named) => endpoint.split("@")[1] ?? "";

async function happened(kind: string): Promise<readonly string[]> {
  const { items } = await json("history");
  return items
    .filter((event: Named) => event.kind === kind)
    .map(hostOf)
    .toSorted();
}

async function suspended(): Promise<readonly string[]> {
  const { endpoints } = await json("status");
  return endpoints.filter(({ state }: Named) => state === "suspended").map(hostOf);
}

async function preferences(): Promise<unknown> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "openrouter:a/m", messages: [{ role: "user", content: "hi" }] }),
    proxy: false,
  });
  await response.text();
  return gateway.bodies.at(-1)?.["provider"];
}

// One life: what a step leaves behind is what the next begins with.
test("a canary observes, enforces, is killed twice, and lets hosts back", async () => {
  // No further round comes by itself, however long a busy machine takes.
  await Bun.write(config, watching(gateway.base_url, "", 'interval = "24h"'));
  server = await start();
  await observes();
  await enforces();
  await survivesKill();
  await forgetsBrokenRound();
  await restores();
}, 120_000);

/** Observing, two rounds say who would be suspended, and traffic goes as before. */
async function observes(): Promise<void> {
  for (const [host, script] of Object.entries(BAD)) gateway.scripts.set(host, script);
  gateway.scripts.set("other", other);
  const dry = await canary("run", "--dry-run");

  // The first comes by itself, within a minute of the start.
  const first = await until(async () => {
    const { round } = await json("status");
    return round.n > 0 && !round.is_running ? round : undefined;
  });
  const { items } = await json("run");

  expect(items.map(hostOf)).toEqual([...BAD_HOSTS, "one", "other", "three", "two"].toSorted());
  expect(dry.stdout).toContain("a day of such rounds: some $");
  expect(first.n).toBe(1);
  expect(await happened("would_suspend")).toEqual(BAD_HOSTS);
  expect(await suspended()).toEqual([]);
  expect(await preferences()).toBeUndefined();
}

/** Enforcing, the same hosts are suspended and every request passes them over. */
async function enforces(): Promise<void> {
  const put = await fetch(`${server.url}/admin/v1/config/canary.mode`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ value: "enforce" }),
    proxy: false,
  });

  await json("run");
  await json("run");

  expect(put.status).toBe(200);
  expect(await suspended()).toEqual(BAD_HOSTS);
  expect(await preferences()).toEqual({ ignore: BAD_HOSTS });
  const metrics = await (await fetch(`${server.url}/metrics`, { proxy: false })).text();
  expect(metrics).toContain('veriroute_canary_suspended_endpoints{instance="openrouter"} 4');
}

/** Killed and started again, it stands where it stood, from the first request on. */
async function survivesKill(): Promise<void> {
  const before = await json("status");
  server.signal("SIGKILL");
  await server.exited;

  server = await start();
  const first = await preferences();

  const after = await json("status");
  expect(first).toEqual({ ignore: BAD_HOSTS });
  expect(after.endpoints).toEqual(before.endpoints);
  expect(await happened("suspended")).toEqual(BAD_HOSTS);
}

/** Killed in the midst of a round, that round has not been. */
async function forgetsBrokenRound(): Promise<void> {
  const { round } = await json("status");
  const asked = gateway.bodies.length;
  await fetch(`${server.url}/admin/v1/canary/run`, { method: "POST", proxy: false });
  await until(() => gateway.bodies.length > asked + 3);
  server.signal("SIGKILL");
  await server.exited;

  server = await start();

  const after = await json("status");
  const listed = await fetch(`${server.url}/admin/v1/canary/probes`, { proxy: false });
  const { items } = Object(await listed.json());
  const unanswered = items.filter(({ result }: { result: string | null }) => result === null);
  expect(after.round.n).toBe(round.n);
  expect(await suspended()).toEqual(BAD_HOSTS);
  // What was under way may be billed, so it counts.
  expect(unanswered.length).toBeGreaterThan(0);
  for (const { charged_usd } of unanswered) expect(charged_usd).toBeGreaterThan(0);
}

/** A person lifts one, and two clean rounds restore the others. */
async function restores(): Promise<void> {
  const lifted = await canary("lift", "openrouter:a/m@slow");
  const after = await suspended();
  gateway.scripts.clear();

  await json("run");
  await json("run");

  expect(lifted.stdout).toContain("lifted; openrouter:a/m@slow serves again");
  expect(after).toEqual(BAD_HOSTS.filter((host) => host !== "slow"));
  expect(await suspended()).toEqual([]);
  expect(await happened("early_restore")).toEqual(after);
  expect(await preferences()).toBeUndefined();
}

test("rounds come by themselves", async () => {
  using own = tempDir();
  using hosts = hostGateway(["one", "two"]);
  const file = join(own.path, "veriroute.toml");
  await Bun.write(file, watching(hosts.base_url, "", 'interval = "1m"'));
  await using scheduled = await startBinary(
    ["--config", file],
    runIn(own.path, hurried(60, Date.now())),
  );

  const { n } = await until(async () => {
    const shown = await fetch(`${scheduled.url}/admin/v1/canary`, { proxy: false });
    const { round } = Object(await shown.json());
    return round.n >= 2 ? round : undefined;
  });
  scheduled.signal("SIGTERM");

  expect(n).toBeGreaterThanOrEqual(2);
  expect(await scheduled.exited).toBe(0);
}, 60_000);

test("what is wrong with the section ends the start with 78 and what a day would cost", async () => {
  using own = tempDir();
  const file = join(own.path, "veriroute.toml");
  const wrong = `[canary]
enabled = true
models = ["openai:gpt-5-mini", "pool:nowhere"]
mode = "strict"
locales = ["xx"]
controls = ["nobody:m@h"]
`;
  await Bun.write(file, wrong);

  const { code, stderr } = await runBinary(["serve", "--config", file], runIn(own.path));

  expect(code).toBe(78);
  for (const told of [
    "there is no pool `nowhere`",
    "canary.mode",
    "there are no prompts in `xx`",
    "which is no instance",
    "say how much a day may cost: 1 target cost some $",
  ]) {
    expect(stderr).toContain(told);
  }
}, 60_000);
