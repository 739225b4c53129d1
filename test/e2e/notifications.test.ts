import { describe, expect, test } from "bun:test";

import {
  type Behaviour,
  failing,
  fine,
  type Fleet,
  startFleet,
} from "../support/behaving-fleet.ts";
import { scriptedReceiver } from "../support/receiver.ts";
import { completion } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const empty: Behaviour = (wire) => wire.json(completion(""));

/** Config of a receiver named `ops`. */
const receiver = (url: string, more = "") =>
  `[notifications.ops]\nurl = "${url}"\ntimeout = "500ms"\n${more}\n`;

let prompts = 0;
async function tripA(fleet: Fleet): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await fleet.ask({ more: { messages: [{ role: "user", content: `question ${prompts++}` }] } });
  }
}

async function receivers({ router }: Fleet) {
  const { items } = JSON.parse(
    await (await router.get("/admin/v1/notifications/receivers")).text(),
  );
  return items;
}

describe("a webhook", () => {
  test("gets a trip and the recovery from it, in order, as JSON", async () => {
    using ops = scriptedReceiver();
    await using fleet = await startFleet(
      { a: empty, b: fine },
      { config: receiver(`${ops.url}/hook?key=k`, 'token = "t0ken"') },
    );

    await tripA(fleet);
    fleet.set("a", fine);
    fleet.clock.move(60_000);
    for (let n = 0; n < 5; n++) await fleet.ask();
    await until(() => ops.received.length === 2);

    const [opened, closed] = ops.received;
    expect([opened?.path, opened?.headers.get("authorization")]).toEqual([
      "/hook?key=k",
      "Bearer t0ken",
    ]);
    expect(opened?.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(opened?.text ?? "")).toEqual({
      kind: "breaker_opened",
      at: 1_764_460_800_000,
      severity: "warning",
      title: "a:m is benched",
      text: "a:m is benched: signature:empty_200, 4 bad answers, score 9.2. It may be tried again from 2025-11-30T00:01:00.000Z.",
      trip: {
        scope: "target",
        subject: "a:m",
        cause: "signature:empty_200",
        detail: "4 bad answers, score 9.2",
        opened_at: 1_764_460_800_000,
        until_at: 1_764_460_860_000,
        reopened: 0,
      },
    });
    expect(JSON.parse(closed?.text ?? "")).toMatchObject({
      kind: "breaker_closed",
      severity: "info",
      title: "a:m is back",
    });
  });

  test("gets only the kinds it asks for", async () => {
    using ops = scriptedReceiver();
    await using fleet = await startFleet(
      { a: empty, b: fine },
      { config: receiver(ops.url, 'kinds = ["signature_warning"]') },
    );

    await tripA(fleet);
    await until(() => ops.received.length > 0);

    expect(ops.received.map(({ text }) => JSON.parse(text).kind)).toEqual(["signature_warning"]);
    const notices = JSON.parse(await (await fleet.router.get("/admin/v1/notifications")).text());
    expect(notices.items).toMatchObject([
      { kind: "breaker_opened", receivers: [] },
      { kind: "signature_warning", receivers: ["ops"] },
    ]);
  });

  test("hears of a pool whose first choice has stopped serving", async () => {
    using ops = scriptedReceiver();
    await using fleet = await startFleet(
      { a: failing, b: fine },
      { config: receiver(ops.url, 'kinds = ["persistent_failover"]') },
    );

    for (let n = 0; n < 10; n++) await fleet.ask();
    await until(() => ops.received.length > 0);

    expect(JSON.parse(ops.received[0]?.text ?? "")).toMatchObject({
      kind: "persistent_failover",
      pool: "main",
      first_choice: "a:m",
      count: 10,
    });
  });
});

test("ntfy gets plain text with a title and a priority", async () => {
  using ops = scriptedReceiver();
  await using fleet = await startFleet(
    { a: empty, b: fine },
    { config: receiver(`${ops.url}/alerts`, 'type = "ntfy"') },
  );

  await tripA(fleet);
  await until(() => ops.received.length > 0);

  const [first] = ops.received;
  const names = ["title", "priority", "tags", "content-type", "authorization"];
  expect([first?.path, ...names.map((name) => first?.headers.get(name))]).toEqual([
    "/alerts",
    "a:m is benched",
    "4",
    "warning",
    "text/plain; charset=utf-8",
    null,
  ]);
  expect(first?.text).toStartWith("a:m is benched: signature:empty_200");
});

describe("a receiver that is in trouble", () => {
  test.each<{ name: string; answer: () => Response | Promise<Response>; problem: string }>([
    {
      name: "refuses",
      answer: () => new Response("no", { status: 403 }),
      problem: "answered HTTP 403",
    },
    {
      name: "redirects",
      answer: () => Response.redirect("http://127.0.0.1:1/", 302),
      problem: "redirects (HTTP 302), which is not followed",
    },
    {
      name: "fails again and again",
      answer: () => new Response("no", { status: 500 }),
      problem: "answered HTTP 500",
    },
    {
      name: "says nothing",
      answer: () => new Promise<Response>(() => undefined),
      problem: "did not answer within 500 ms",
    },
  ])("$name: the notice is given up, and traffic goes on", async ({ answer, problem }) => {
    using ops = scriptedReceiver(answer);
    await using fleet = await startFleet(
      { a: empty, b: fine },
      { config: receiver(`${ops.url}/secret-path`, "retries = 0") },
    );

    await tripA(fleet);
    const served = await fleet.ask();
    await until(async () => (await receivers(fleet))[0].failed === 1);

    expect(served).toMatchObject({ status: 200, target: "b:m" });
    const host = new URL(ops.url).host;
    expect(await receivers(fleet)).toEqual([
      {
        name: "ops",
        type: "webhook",
        host,
        delivered: 0,
        failed: 1,
        dropped: 0,
        queued: 0,
        problem,
      },
    ]);
    const shown = [
      ...fleet.router.log,
      JSON.stringify(await fleet.router.admin("/admin/v1/config")),
    ];
    expect(shown.join("\n")).toContain("a notice was not delivered");
    expect(shown.join("\n")).not.toContain("secret-path");
  });
});

describe("trying a receiver", () => {
  test("tells whether it can be reached, and is written down", async () => {
    using well = scriptedReceiver();
    using ill = scriptedReceiver(() => new Response("", { status: 401 }));
    await using fleet = await startFleet(
      { a: fine },
      { config: `${receiver(well.url)}[notifications.other]\nurl = "${ill.url}"\n` },
    );

    const all = await fleet.router.post("/admin/v1/notifications/test", {});
    const one = await fleet.router.post("/admin/v1/notifications/test", { receiver: "ops" });
    const none = await fleet.router.post("/admin/v1/notifications/test", { receiver: "opps" });

    expect(JSON.parse(await all.text())).toEqual({
      items: [
        { receiver: "ops", ok: true, status: 200, problem: null },
        { receiver: "other", ok: false, status: null, problem: "answered HTTP 401" },
      ],
    });
    expect(JSON.parse(await one.text()).items).toHaveLength(1);
    expect(none.status).toBe(404);
    expect(JSON.parse(well.received[0]?.text ?? "")).toMatchObject({ kind: "test" });
    expect(await fleet.router.admin("/admin/v1/audit")).toMatchObject({
      items: [
        { action: "notifications.test", subject: "ops" },
        { action: "notifications.test", subject: "all" },
      ],
    });
  });
});
