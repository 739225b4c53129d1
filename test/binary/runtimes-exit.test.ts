/** What becomes of rented GPUs when the router ends, and what other processes can do then. */
import { expect, test } from "bun:test";

import { runBinary, startBinary } from "../support/binary.ts";
import { SHORT_LIMITS } from "../support/fast-timers.ts";
import { askRented, rented, REPO, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;

/* Run side by side, so those that take longest come first. */

test.concurrent(
  "T8: a release that cannot be proven in time is said, and exits with 1",
  async () => {
    await using made = await rented('on_exit = "release"');
    const env = { ...made.options.env, ...SHORT_LIMITS };
    const server = await startBinary([], { ...made.options, env });
    await made.run(...UP);
    made.colab.setFaults({ stop: "lies" });

    server.signal("SIGTERM");

    expect(await server.exited).toBe(1);
    expect(server.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    const status = await made.run("status", "--json");
    expect(JSON.parse(status.stdout).items).toMatchObject([
      { phase: "stopping", notice: expect.stringContaining("MAY STILL BE BILLING") },
    ]);
    made.colab.setFaults({});
    expect((await made.run("down", "gpu")).code).toBe(0);
  },
  LIMIT_MS,
);

test.concurrent(
  "T16: down works although the server that answers for it hangs",
  async () => {
    await using made = await rented();
    await using server = await made.serve();
    await made.run(...UP);
    server.signal("SIGSTOP");

    const down = await made.run("down", "gpu");

    expect(down).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("asking Colab from here"),
    });
    expect(made.colab.billing()).toEqual([]);
    expect(made.lease("gpu")).toMatchObject({ phase: "ready" });
    server.signal("SIGCONT");
    await until(() => made.lease("gpu") === null);
  },
  LIMIT_MS,
);

test.concurrent(
  "T16, T21: SIGTERM leaves it to its watchdog; status and down need no server",
  async () => {
    await using made = await rented();
    const server = await made.serve();
    await made.run(...UP);

    server.signal("SIGTERM");
    const code = await server.exited;
    const status = await made.run("status");
    const billing = made.colab.billing().length;
    const down = await made.run("down", "gpu");

    expect([code, billing]).toEqual([0, 1]);
    expect(server.stderr()).toMatch(/gpu goes on; its watchdog releases it by 20\d\d-/);
    expect(status.stdout).toMatch(/gpu +detached \(unwatched\)/);
    expect(status.stdout).toMatch(/MAY STILL BE BILLING gpu T4 ~1.19 CU\/h since 20\d\d-/);
    expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining("gpu is released") });
    expect([made.colab.billing(), made.lease("gpu")]).toEqual([[], null]);
  },
  LIMIT_MS,
);

test.concurrent(
  "W7: what was left to its watchdog serves again once a router starts",
  async () => {
    await using made = await rented();
    const first = await made.serve();
    await made.run(...UP);
    first.signal("SIGTERM");
    await first.exited;

    await using second = await made.serve();
    await until(() => made.lease("gpu")?.["phase"] === "ready");
    const text = await (await askRented(second.url, `gpu:${REPO}`)).text();
    const down = await made.run("down", "gpu");

    expect(second.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    expect([text.includes("rented words"), down.code]).toEqual([true, 0]);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent.each<{ what: string; runtimes: string; faults: object; more: readonly string[] }>([
  { what: "`on_exit` says so", runtimes: 'on_exit = "release"', faults: {}, more: [] },
  {
    what: "no watchdog runs on it",
    runtimes: "",
    faults: { watchdog: "no" },
    more: ["--no-watchdog"],
  },
])(
  "SIGINT releases it where $what, whatever `server.drain` says",
  async ({ runtimes, faults, more }) => {
    await using made = await rented(runtimes);
    made.colab.setFaults(faults);
    const server = await made.serve();
    const up = await made.run(...UP, ...more);

    server.signal("SIGINT");

    expect([up.code, await server.exited]).toEqual([0, 0]);
    expect([made.colab.billing(), made.lease("gpu")]).toEqual([[], null]);
  },
  LIMIT_MS,
);

test.concurrent(
  "SIGTERM while it starts releases it, and whoever waits for it is told",
  async () => {
    await using made = await rented();
    made.colab.setFaults({ boot_ms: 3_600_000 });
    const server = await made.serve();
    const up = made.run(...UP);
    await until(() => made.lease("gpu")?.["watchdog"] !== null && made.lease("gpu") !== null);

    server.signal("SIGTERM");

    expect(await server.exited).toBe(0);
    expect((await up).code).toBe(1);
    expect([made.colab.billing(), made.lease("gpu")]).toEqual([[], null]);
  },
  LIMIT_MS,
);

test.concurrent(
  "a second signal says what MAY STILL BE BILLING and exits with 1",
  async () => {
    await using made = await rented('on_exit = "release"');
    const server = await made.serve();
    await made.run(...UP);
    made.colab.setFaults({ stop: "500" });

    server.signal("SIGTERM");
    await until(() => made.lease("gpu")?.["phase"] === "stopping");
    server.signal("SIGTERM");

    expect(await server.exited).toBe(1);
    expect(server.stderr()).toMatch(/MAY STILL BE BILLING gpu T4 ~1.19 CU\/h since 20/);
    expect(made.lease("gpu")).toMatchObject({ phase: "stopping" });
  },
  LIMIT_MS,
);

test.concurrent(
  "a router that cannot start says which machines cost money meanwhile, but for those that are watched",
  async () => {
    await using made = await rented();
    const first = await made.serve();
    await made.run(...UP);
    const start = () => runBinary(["serve", "--port", "0"], made.options);
    const whileWatched = await start();
    first.signal("SIGKILL");
    await first.exited;
    made.configure("max_idle = 45");

    const refused = await start();

    expect(whileWatched.stderr).toContain("another veriroute");
    expect(whileWatched.stderr).not.toContain("MAY STILL BE BILLING");
    expect([whileWatched.code, refused.code]).toEqual([1, 78]);
    expect(refused.stderr).toContain("MAY STILL BE BILLING gpu T4");
    expect(refused.stderr).toContain(
      "`veriroute runtimes down gpu` releases it, without a server too",
    );
    made.configure("");
    expect((await made.run("down", "gpu")).code).toBe(0);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);
