/** What is prepared on a machine without GPU, and what becomes of it on one with a GPU. */
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { BakePlan } from "../../../src/runtimes/bootstrap/bake-plan.ts";
import {
  bakeCell,
  bakedCell,
  pollCell,
  readyMarker,
} from "../../../src/runtimes/bootstrap/cells.ts";
import type { ServerPlan } from "../../../src/runtimes/bootstrap/server-plan.ts";
import { freePort, launchAndPoll, planIn, runCell } from "../../support/run-cell.ts";
import { testWith } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { vmDirectory } from "../../support/vm-directory.ts";

const test = testWith("python3");

/** Says what an installation would bring, as pip does, and makes a wheel of what it is told. */
const RESOLVE = `import json, sys
install = [{"metadata": {"name": n, "version": v}} for n, v in (("Slow_Thing", "1.2"), ("other", "3"))]
json.dump({"version": "1", "install": install}, open(sys.argv[1], "w"))`;
const WHEEL = `import os, sys
place, package = sys.argv[1:]
open(os.path.join(place, package.replace("==", "-") + ".whl"), "wb").write(os.urandom(5000))`;

function bakePlanIn(
  vm: { file: (name: string) => string },
  change: Partial<BakePlan> = {},
): BakePlan {
  return {
    tools: [["no such program", "sh"]],
    environment: {},
    resolve: ["{python}", "-c", RESOLVE, "{report}"],
    build: ["slow-thing", "installed-already"],
    wheel: ["{python}", "-c", WHEEL, "{wheels}", "{package}"],
    parts_at: vm.file("part-"),
    part_bytes: 2000,
    ...change,
  };
}

const Baked = Type.Object({
  python: Type.String(),
  packages: Type.Array(Type.String()),
  wheels: Type.Array(Type.String()),
  parts: Type.Array(
    Type.Object({ path: Type.String(), bytes: Type.Integer(), sha256: Type.String() }),
  ),
});

/** Has it prepared; what it says then, and what of it can be read. */
async function bakeIn(vm: ReturnType<typeof vmDirectory>, plan: BakePlan) {
  const place = { directory: vm.directory, nonce: "n1" };
  await runCell(bakeCell(place, { launch: "B1", plan }));
  const polled = await until(async () => {
    const { stdout } = await runCell(pollCell({ ...place, nonce: "n2" }, "B1"));
    return /"phase": "(ready|failed)"/.test(stdout) ? stdout : undefined;
  });
  const read = await runCell(bakedCell({ ...place, nonce: "n3" }, "B1"));
  const [, json = "null"] = /BAKED n3 (.*)/.exec(read.stdout) ?? [];
  return { polled, read, baked: Value.Parse(Type.Union([Baked, Type.Null()]), JSON.parse(json)) };
}

async function bakedIn(vm: ReturnType<typeof vmDirectory>) {
  const { baked } = await bakeIn(vm, bakePlanIn(vm));
  if (baked === null) throw new Error("nothing was prepared");
  return baked;
}

test("what a machine without GPU prepares comes in parts, and says versions and wheels", async () => {
  using vm = vmDirectory();

  const { polled, baked } = await bakeIn(vm, bakePlanIn(vm));

  expect(polled).toContain(readyMarker("B1"));
  expect(baked).toMatchObject({
    python: expect.stringMatching(/^3\.\d+$/),
    packages: ["other==3", "slow-thing==1.2"],
    wheels: ["slow-thing-1.2.whl"],
  });
  expect(baked?.parts.slice(0, -1).map(({ bytes }) => bytes)).toEqual([2000, 2000]);
});

const FAILURES: readonly { what: string; change: Partial<BakePlan>; says: string }[] = [
  { what: "no compiler", change: { tools: [["no-such-nvcc"]] }, says: "no `no-such-nvcc`" },
  {
    what: "an index that does not answer",
    change: { resolve: ["{python}", "-c", "print('ERROR: no index'); exit(1)"] },
    says: "ERROR: no index",
  },
  {
    what: "a build that fails",
    change: { wheel: ["{python}", "-c", "print('ERROR: nvcc'); exit(1)"] },
    says: "ERROR: nvcc",
  },
];

for (const { what, change, says } of FAILURES) {
  test(`S3-091: with ${what} nothing counts as prepared, and it is said`, async () => {
    using vm = vmDirectory();

    const { polled, read } = await bakeIn(vm, bakePlanIn(vm, change));

    expect(polled).toContain('"phase": "failed"');
    expect(polled).toContain(says);
    expect(read.stdout).toBe("");
  });
}

test("S3-091: what an earlier start left is not taken for what this one prepared", async () => {
  using vm = vmDirectory();
  await bakeIn(vm, bakePlanIn(vm));

  const { stdout, stderr } = await runCell(
    bakedCell({ directory: vm.directory, nonce: "n4" }, "another"),
  );

  expect([stdout, stderr.includes("nothing was prepared by this start")]).toEqual(["", true]);
});

/** Keeps what pip would be called with; fails where it is told to, if it is told anything. */
function installIn(vm: { file: (name: string) => string }, failing = false) {
  const code = `import json, os, sys
options = sys.argv[2:]
held = {name: os.path.exists(path) for name, path in zip(options[::2], options[1::2])}
open(sys.argv[1], "a").write(json.dumps(held) + "\\n")
sys.exit(1 if options and ${failing ? "True" : "False"} else 0)`;
  return [["{python}", "-c", code, vm.file("installed.json")]];
}

const installedIn = (vm: { file: (name: string) => string }) =>
  readFileSync(vm.file("installed.json"), "utf8").trim().split("\n");

const ALL = '{"--constraint": true, "--find-links": true}';

test("what was prepared elsewhere is what pip installs from", async () => {
  using other = vmDirectory();
  using vm = vmDirectory();
  const baked = await bakedIn(other);

  const polled = await launchAndPoll(vm, planIn(vm, freePort(), { install: installIn(vm), baked }));

  expect(polled).toContain(readyMarker("L1"));
  expect(installedIn(vm)).toEqual([ALL]);
  expect(readFileSync(`${vm.directory}/baked/constraints.txt`, "utf8")).toBe(
    "other==3\nslow-thing==1.2\n",
  );
});

type Parts = NonNullable<ServerPlan["baked"]>;

const MISSING = { path: "/nonexistent", sha256: "0".repeat(64) };

interface Unusable {
  readonly what: string;
  readonly change: (baked: Parts) => Parts;
  readonly failing?: boolean;
  readonly calls: readonly string[];
}

const UNUSABLE: readonly Unusable[] = [
  { what: "a part is missing", change: (baked) => ({ ...baked, parts: [MISSING] }), calls: ["{}"] },
  {
    what: "a part was cut",
    change(baked) {
      const [{ path } = MISSING] = baked.parts;
      writeFileSync(path, readFileSync(path).subarray(1));
      return baked;
    },
    calls: ["{}"],
  },
  {
    what: "it is for another Python",
    change: (baked) => ({ ...baked, python: "3.4" }),
    calls: ["{}"],
  },
  { what: "its versions are gone", change: (baked) => baked, failing: true, calls: [ALL, "{}"] },
];

for (const { what, change, failing, calls } of UNUSABLE) {
  test(`S3-091: where ${what}, all is installed as without it`, async () => {
    using other = vmDirectory();
    using vm = vmDirectory();
    const baked = change(await bakedIn(other));
    const install = installIn(vm, failing);

    const polled = await launchAndPoll(vm, planIn(vm, freePort(), { install, baked }));

    expect(polled).toContain(readyMarker("L1"));
    expect(installedIn(vm)).toEqual([...calls]);
  });
}
