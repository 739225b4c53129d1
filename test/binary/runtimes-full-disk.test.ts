/** A disk that takes nothing more, before a machine is rented and while one costs money. */
import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { phaseOf } from "../support/life.ts";
import { askRented, rented, UP } from "../support/rented.ts";
import { smallDisk, testWithSmallDisk as test } from "../support/small-disk.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;
const NOTICE = "MAY STILL BE BILLING gpu T4";

const rentals = (calls: readonly { readonly args: readonly string[] }[]) =>
  calls.filter(({ args }) => args.includes("new"));

test(
  "W13: on a disk that filled up under a router that was killed, the machine is said and released without a lock",
  async () => {
    await using made = await rented();
    using disk = smallDisk(made.state_dir);
    const first = await made.serve();
    await made.run(...UP);
    first.signal("SIGKILL");
    await first.exited;
    disk.fill();

    const status = await made.run("status");
    const refused = await made.serve().catch(String);
    const down = await made.run("down", "gpu");
    const billing = made.colab.billing();
    const left = phaseOf(made);
    disk.free();
    const again = await made.run("down", "gpu");

    expect(status.stdout).toContain(NOTICE);
    expect(refused).toContain("no space left on device");
    expect(refused).toContain(NOTICE);
    expect(refused).toContain("`veriroute runtimes down gpu` releases it, without a server too");
    expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining("gpu is released") });
    expect(down.stderr).toContain("its lease could not be put away and still says otherwise");
    expect([billing, left]).toEqual([[], "ready"]);
    expect([again.code, made.lease("gpu")]).toEqual([0, null]);
  },
  LIMIT_MS,
);

test(
  "W13: on a disk that fills up under a router it serves, is released once nobody uses it, and is put away later",
  async () => {
    await using made = await rented('max_idle = "6s"');
    using disk = smallDisk(made.state_dir);
    await using server = await made.serve();
    await made.run(...UP);
    disk.fill();

    const text = await (await askRented(server.url, "gpu")).text();
    await until(() => made.colab.billing().length === 0);
    await server.saw(/the lease could not be written/);
    const left = phaseOf(made);
    disk.free();
    await until(() => made.lease("gpu") === null);

    expect([text.includes("rented words"), left]).toEqual([true, "ready"]);
    expect(readdirSync(join(made.state_dir, "runtimes/released"))).toHaveLength(1);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test(
  "T3, W12: on a full disk nothing is rented, and it is said why",
  async () => {
    await using made = await rented();
    using disk = smallDisk(made.state_dir);
    await using server = await made.serve();
    // What asks Colab has its files already.
    await made.run("status", "--check");
    disk.fill();

    const up = await made.run(...UP);

    expect(up.stderr).toMatch(/no space left.* Free some space on its disk\./);
    expect([up.code, rentals(made.colab.calls()), made.lease("gpu")]).toEqual([1, [], null]);
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);
