/** Whole lives of rented GPUs: the compiled router, a fake of Colab that knows what is billing. */
import { expect, test } from "bun:test";

import { assign } from "../support/fake-colab/google.ts";
import { askRented, rented, REPO, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;

async function explained(url: string, model: string): Promise<unknown> {
  const answer = await fetch(`${url}/v1/routing/explain`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "tell" }] }),
  });
  return answer.json();
}

/* Run side by side, so those that take longest come first. */

test.concurrent(
  "T9: nobody uses it, so it is released; a stream that goes on keeps it",
  async () => {
    await using made = await rented('max_idle = "8s"');
    await using server = await made.serve();
    const letGo = made.hold();
    await made.run(...UP);
    const stream = await askRented(server.url, "gpu", true);
    const idle = Number(made.lease("gpu")?.["idle_deadline"]);
    await until(() => Date.now() > idle + 4000);
    const whileBusy = made.lease("gpu")?.["phase"];
    letGo();
    const text = await stream.text();

    await server.saw(/nobody uses it/);
    await until(() => made.lease("gpu") === null);

    expect([whileBusy, text.includes("words")]).toEqual(["ready", true]);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T10: a runtime that is busy is released at the end of its life, and the client hears of it",
  async () => {
    await using made = await rented('max_life = "20s"\nmax_idle = "20s"');
    await using server = await made.serve();
    made.hold();
    const up = await made.run(...UP);
    const stream = await askRented(server.url, "gpu", true);

    const text = await stream.text();
    await until(() => made.lease("gpu") === null);

    expect(up.code).toBe(0);
    expect(text).toContain('"error"');
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "up --foreground serves from its own process, and ends with the runtime",
  async () => {
    await using made = await rented('max_idle = "5s"');

    const up = await made.run(...UP, "--foreground");

    expect(up.code).toBe(0);
    expect(up.stdout).toMatch(/^gpu is ready: ask for gpu:Qwen\S+ at http:\/\/127/);
    expect(up.stderr).toContain("gpu is released");
    expect([made.colab.billing(), made.lease("gpu")]).toEqual([[], null]);
  },
  LIMIT_MS,
);

test.concurrent(
  "up, a chat request through the router, and down",
  async () => {
    await using made = await rented();
    await using server = await made.serve();

    const up = await made.run(...UP);
    const answer = await askRented(server.url, `gpu:${REPO}`);
    const text = await answer.text();
    const status = await made.run("status", "--json");
    const billing = made.colab.billing().length;
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const notices = await (await fetch(`${server.url}/admin/v1/notifications`)).json();
    const down = await made.run("down", "gpu");

    expect(up).toMatchObject({ code: 0, stdout: `gpu is ready: ask for gpu:${REPO}\n` });
    expect(up.stderr).toContain("T4 burns ~1.19 CU an hour, 0.12 USD");
    expect(text).toContain("rented words");
    expect(JSON.parse(status.stdout)).toMatchObject({
      items: [{ name: "gpu", phase: "ready", watched_by: server.pid, notice: null }],
    });
    expect(billing).toBe(1);
    expect(metrics).toContain('veriroute_runtimes_billing{instance="gpu",phase="ready"} 1');
    expect(metrics).toMatch(/^veriroute_runtime_compute_units\{instance="gpu"\} \d/m);
    expect(notices).toMatchObject({ items: [{ kind: "runtime", text: "gpu is ready" }] });
    expect(down).toMatchObject({
      code: 0,
      stdout: "gpu is released: two listings lack its machine\n",
    });
    expect(made.colab.billing()).toEqual([]);
    await until(() => made.lease("gpu") === null);
  },
  LIMIT_MS,
);

test.concurrent(
  "a pool serves from it, and from elsewhere while it is degraded, and says why",
  async () => {
    await using made = await rented();
    const pool = `[pools.main]\ntargets = ["gpu:${REPO}", "sim:echo"]\n`;
    made.configure('names = ["gpu"]\nliveness = "1s"', pool);
    await using server = await made.serve();
    const before = await (await askRented(server.url, "pool:main")).text();
    await made.run(...UP);
    const during = await (await askRented(server.url, "pool:main")).text();
    made.fail();

    const plan = await until(async () => {
      const answer = await explained(server.url, "pool:main");
      return JSON.stringify(answer).includes("runtime_degraded") && answer;
    });
    const after = await (await askRented(server.url, "pool:main")).text();

    expect([before, during, after].map((text) => text.includes("rented words"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(plan).toMatchObject({
      plan: {
        candidates: [
          { target: "sim:echo", eligible: true },
          { target: `gpu:${REPO}`, reasons: [{ layer: 4, code: "runtime_degraded" }] },
        ],
      },
    });
    expect((await made.run("down", "gpu")).code).toBe(0);
  },
  LIMIT_MS,
);

test.concurrent(
  "T15: a machine that no lease accounts for is reported, taken over, and released",
  async () => {
    await using made = await rented();
    const orphan = made.colab.server.transact((state, now) => assign(state, "L4", now)).endpoint;
    await using server = await made.serve();

    const check = await made.run("status", "--check");
    const adopt = await made.run("adopt", orphan, "--name", "found");
    const status = await made.run("status", "--json");
    const down = await made.run("down", "found");

    expect(check.stdout).toContain(`veriroute runtimes adopt ${orphan}`);
    expect(adopt).toMatchObject({ code: 0, stderr: expect.stringContaining("degraded") });
    expect(JSON.parse(status.stdout).items).toMatchObject([
      {
        name: "found",
        phase: "degraded",
        sku: "L4",
        target: null,
        watched_by: server.pid,
        hard_deadline: expect.any(Number),
        notice: expect.stringMatching(/^MAY STILL BE BILLING found L4 ~1.71 CU\/h since /),
      },
    ]);
    expect(down.code).toBe(0);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T15: adopted without a server, its lease is written, and a router that starts keeps its deadlines",
  async () => {
    await using made = await rented();
    const orphan = made.colab.server.transact((state, now) => assign(state, "T4", now)).endpoint;

    const adopt = await made.run("adopt", orphan, "--name", "found");
    const again = await made.run("adopt", orphan, "--name", "other");
    const missing = await made.run("adopt", "gpu-t4-nowhere");
    await using server = await made.serve();
    const taken = await until(async () => {
      const { items } = JSON.parse((await made.run("status", "--json")).stdout);
      return items[0]?.watched_by === server.pid && items;
    });
    const down = await made.run("down", "found");

    expect(adopt).toMatchObject({ code: 0, stderr: expect.stringContaining("no server runs") });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("`found` already") });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("is listed") });
    expect(taken).toMatchObject([{ name: "found", phase: "degraded" }]);
    expect([down.code, made.colab.billing()]).toEqual([0, []]);
  },
  LIMIT_MS,
);

test.concurrent(
  "logs of the machine come through the server, without keys",
  async () => {
    await using made = await rented();
    await using server = await made.serve();
    await made.run(...UP);

    const logs = await made.run("logs", "gpu", "--lines", "5");
    const unknown = await made.run("logs", "other");

    expect(logs).toMatchObject({
      code: 0,
      stdout: "== server.log\nINFO fake server\n== launcher.log\n",
    });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no runtime `other`"),
    });
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);
