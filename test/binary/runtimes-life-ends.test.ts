/** Machines that live, when the router that answers for them ends: what they do, and what others can do then. */
import { expect } from "bun:test";
import { rmSync } from "node:fs";

import {
  endpointOf,
  isRunning,
  phaseOf,
  releasedBy,
  sshOf,
  untilAnswered,
} from "../support/life.ts";
import { testWithMachines as test } from "../support/real-sshd.ts";
import { rentedOverSsh } from "../support/rented-over-ssh.ts";
import { UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;
const GUARDED = 'heartbeat = "1s"\nheartbeat_ttl = "7s"';
const NOTICE = "MAY STILL BE BILLING gpu T4";

/* Run side by side, so those that take longest come first. */

test(
  "T21, W7: left to its watchdog, which releases it; the next router finds it gone",
  async () => {
    await using made = await rentedOverSsh(GUARDED);
    const first = await made.serve();
    await made.run(...UP);
    const [endpoint, ssh] = [endpointOf(made), sshOf(made)];

    first.signal("SIGTERM");
    const code = await first.exited;
    const left = [made.colab.billing().length, isRunning(ssh), await made.unreported()];
    await until(() => made.colab.billing().length === 0);
    const status = await made.run("status");
    const before = phaseOf(made);
    await using second = await made.serve();
    await until(() => made.lease("gpu") === null);

    expect([code, left]).toEqual([0, [1, false, []]]);
    expect(first.stderr()).toMatch(/gpu goes on; its watchdog releases it by 20\d\d-/);
    expect([before, releasedBy(made)]).toEqual(["detached", ["watchdog"]]);
    expect(status.stdout).toContain(NOTICE);
    expect(second.stderr()).toContain(NOTICE);
    expect([made.running(endpoint), made.colab.billing()]).toEqual([[], []]);
  },
  LIMIT_MS,
);

test(
  "T1, W6: killed while its server is being loaded, its watchdog releases it without any router",
  async () => {
    await using made = await rentedOverSsh(GUARDED);
    made.colab.setFaults({ boot_ms: 3_600_000 });
    const server = await made.serve();
    const up = made.run(...UP);
    await until(() => JSON.stringify(made.lease("gpu")).includes('"loading"'));
    const endpoint = endpointOf(made);

    server.signal("SIGKILL");
    const [told, unreported] = await Promise.all([up, made.unreported()]);
    await until(() => made.colab.billing().length === 0);
    const down = await made.run("down", "gpu");

    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(NOTICE) });
    expect([unreported, releasedBy(made)]).toEqual([[], ["watchdog"]]);
    expect([down.code, made.lease("gpu"), made.running(endpoint)]).toEqual([0, null, []]);
  },
  LIMIT_MS,
);

test(
  "T1, W7: killed and started again, it serves over a new ssh, though the old one held its connection",
  async () => {
    await using made = await rentedOverSsh();
    const first = await made.serve();
    await made.run(...UP);
    const ssh = sshOf(made);
    first.signal("SIGKILL");
    await first.exited;
    const between = [isRunning(ssh), await made.unreported()];
    made.colab.setFaults({ ssh: "429*1" });

    await using second = await made.serve();
    await until(() => second.stderr().includes("attached again") || phaseOf(made) === "ready");
    await untilAnswered(second.url);
    const after = [isRunning(ssh), await made.unreported()];
    const down = await made.run("down", "gpu");

    expect([between, after]).toEqual([
      [true, []],
      [false, []],
    ]);
    expect([down.code, made.colab.billing(), releasedBy(made)]).toEqual([0, [], ["stop"]]);
  },
  LIMIT_MS,
);

test(
  "T15: killed and its lease lost, the machine is reported, adopted, watched by the next router, and released",
  async () => {
    await using made = await rentedOverSsh();
    const first = await made.serve();
    await made.run(...UP);
    const endpoint = endpointOf(made);
    first.signal("SIGKILL");
    await first.exited;
    rmSync(`${made.state_dir}/runtimes`, { recursive: true });

    const lost = await made.run("status", "--check");
    const adopt = await made.run("adopt", endpoint, "--name", "found");
    const adopted = [await made.unreported(), made.lease("found")?.["phase"]];
    await using second = await made.serve();
    await second.saw(/MAY STILL BE BILLING found T4/);
    const watched = await made.unreported();
    const down = await made.run("down", "found");

    expect(lost.stdout).toContain(`veriroute runtimes adopt ${endpoint}`);
    expect([adopt.code, adopted, watched, down.code]).toEqual([0, [[], "degraded"], [], 0]);
    expect([made.colab.billing(), releasedBy(made)]).toEqual([[], ["stop"]]);
    expect([made.running(endpoint), made.lease("found")]).toEqual([[], null]);
  },
  LIMIT_MS,
);

test(
  "T16: killed, it is reported and released by another process, and nothing of its ssh is left",
  async () => {
    await using made = await rentedOverSsh();
    const server = await made.serve();
    await made.run(...UP);
    const [endpoint, ssh] = [endpointOf(made), sshOf(made)];
    server.signal("SIGKILL");
    await server.exited;

    const [status, unreported] = [await made.run("status"), await made.unreported()];
    const down = await made.run("down", "gpu");

    expect(status.stdout).toContain(NOTICE);
    expect([unreported, down.code]).toEqual([[], 0]);
    expect(down.stdout).toContain("gpu is released");
    expect([made.colab.billing(), made.lease("gpu"), releasedBy(made)]).toEqual([
      [],
      null,
      ["stop"],
    ]);
    expect([made.running(endpoint), isRunning(ssh)]).toEqual([[], false]);
  },
  LIMIT_MS,
);

test(
  'SIGTERM with `on_exit = "release"` ends the machine, its ssh and its lease before the router',
  async () => {
    await using made = await rentedOverSsh('on_exit = "release"');
    const server = await made.serve();
    await made.run(...UP);
    const [endpoint, ssh] = [endpointOf(made), sshOf(made)];

    server.signal("SIGTERM");
    const code = await server.exited;

    expect([code, made.colab.billing(), releasedBy(made)]).toEqual([0, [], ["stop"]]);
    expect([made.lease("gpu"), made.running(endpoint), isRunning(ssh)]).toEqual([null, [], false]);
  },
  LIMIT_MS,
);
