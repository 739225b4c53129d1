/**
 * Whole lives of machines that live: OpenSSH on both ends, a model server and the watchdog as processes of the
 * machine, the compiled router here. After each step the fake of Google says what is billing.
 */
import { expect } from "bun:test";

import {
  endpointOf,
  isRunning,
  leaksOf,
  phaseOf,
  releasedBy,
  sshOf,
  untilAnswered,
} from "../support/life.ts";
import { testWithMachines as test } from "../support/real-sshd.ts";
import { rentedOverSsh } from "../support/rented-over-ssh.ts";
import { askRented, REPO, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;

/* Run side by side, so those that take longest come first. */

test(
  "T10: a stream over ssh that does not end is cut off at the end of its machine's life",
  async () => {
    await using made = await rentedOverSsh('max_life = "20s"\nmax_idle = "20s"');
    await using server = await made.serve();
    const up = await made.run(...UP);
    const [endpoint, ssh] = [endpointOf(made), sshOf(made)];
    made.hold();
    const stream = await askRented(server.url, "gpu", true);
    const unreported = await made.unreported();

    const text = await stream.text();
    await until(() => made.lease("gpu") === null);

    expect([up.code, unreported]).toEqual([0, []]);
    expect(text).toContain('"content": "and "');
    expect(text).toContain('"error"');
    expect([made.colab.billing(), releasedBy(made)]).toEqual([[], [expect.any(String)]]);
    expect([made.running(endpoint), isRunning(ssh)]).toEqual([[], false]);
  },
  LIMIT_MS,
);

test(
  "T9, T18: it serves over ssh, again after the ssh was killed, is released once nobody uses it, and no secret is left",
  async () => {
    await using made = await rentedOverSsh('max_idle = "6s"');
    await using server = await made.serve();

    const up = await made.run(...UP);
    const [endpoint, ssh, leaks] = [endpointOf(made), sshOf(made), leaksOf(made)];
    const first = await (await askRented(server.url, `gpu:${REPO}`)).text();
    const whileUp = [await made.unreported(), leaks([])];
    process.kill(ssh, "SIGKILL");
    await until(() => sshOf(made) !== ssh);
    await untilAnswered(server.url);
    const logs = await made.run("logs", "gpu");
    const afterwards = [await made.unreported(), leaks([])];
    await server.saw(/nobody uses it/);
    await until(() => made.lease("gpu") === null);
    const status = await made.run("status");

    expect(up).toMatchObject({ code: 0, stdout: `gpu is ready: ask for gpu:${REPO}\n` });
    expect(first).toContain("rented words");
    expect([whileUp, afterwards]).toEqual([
      [[], []],
      [[], []],
    ]);
    expect(logs.stdout).toContain("INFO serving with the key [redacted]");
    expect([made.colab.billing(), releasedBy(made)]).toEqual([[], ["stop"]]);
    expect([made.running(endpoint), status.stdout]).toEqual([[], "no runtimes\n"]);
    const said = [up, logs, status].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    expect(leaks([...said, server.stdout(), server.stderr()])).toEqual([]);
  },
  LIMIT_MS,
);

test(
  "T21: without heartbeats the machine releases itself, with them it does not, and its lease follows",
  async () => {
    await using made = await rentedOverSsh('heartbeat = "1s"\nheartbeat_ttl = "7s"');
    await using server = await made.serve();
    await made.run(...UP);
    const endpoint = endpointOf(made);
    const outlived = Date.now() + 9000;
    await until(() => Date.now() > outlived);
    const [billing, answer] = [made.colab.billing().length, await untilAnswered(server.url)];

    server.signal("SIGSTOP");
    await until(() => made.colab.billing().length === 0);
    const by = releasedBy(made);
    server.signal("SIGCONT");
    await until(() => made.lease("gpu") === null);

    expect([billing, answer.includes("rented words"), by]).toEqual([1, true, ["watchdog"]]);
    expect([made.running(endpoint), made.colab.billing()]).toEqual([[], []]);
    const late = await askRented(server.url, `gpu:${REPO}`);
    expect([late.ok, await late.text()]).toEqual([false, expect.not.stringContaining("rented")]);
  },
  LIMIT_MS,
);

test(
  "T13: a model server that dies makes it degraded, and it is billing, reported, and released by `down`",
  async () => {
    await using made = await rentedOverSsh('liveness = "1s"');
    await using server = await made.serve();
    await made.run(...UP);
    const endpoint = endpointOf(made);
    const model: { readonly pid: number } = await Bun.file(
      made.on(endpoint, ".veriroute/server.json"),
    ).json();

    process.kill(model.pid, "SIGKILL");
    await until(() => phaseOf(made) === "degraded");
    const [billing, unreported] = [made.colab.billing().length, await made.unreported()];
    const status = await made.run("status");
    const down = await made.run("down", "gpu");

    expect([billing, unreported, down.code]).toEqual([1, [], 0]);
    expect(status.stdout).toContain("MAY STILL BE BILLING gpu T4");
    expect([made.colab.billing(), made.lease("gpu"), made.running(endpoint)]).toEqual([
      [],
      null,
      [],
    ]);
    expect(server.stderr()).toContain("MAY STILL BE BILLING gpu T4");
  },
  LIMIT_MS,
);

test(
  "T6: a machine that Colab takes away under a stream ends it, and its lease once that is proven",
  async () => {
    await using made = await rentedOverSsh('liveness = "1s"');
    await using server = await made.serve();
    await made.run(...UP);
    const [endpoint, ssh] = [endpointOf(made), sshOf(made)];
    made.hold();
    const stream = await askRented(server.url, "gpu", true);

    made.colab.server.transact((state) => void (state.machines = []));
    const text = await stream.text();
    await until(() => made.lease("gpu") === null);

    expect(text).toContain('"error"');
    expect([made.running(endpoint), isRunning(ssh)]).toEqual([[], false]);
    // A bridge whose session is gone would have rented another machine.
    expect(made.colab.calls().filter(({ args }) => args.includes("new"))).toHaveLength(1);
    expect([made.colab.billing(), (await made.run("status", "--check")).code]).toEqual([[], 0]);
  },
  LIMIT_MS,
);
