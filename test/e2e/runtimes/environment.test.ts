/** What the launcher mends of the environment that it finds on a machine. */
import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { launchCell, pollCell } from "../../../src/runtimes/bootstrap/cells.ts";
import type { ServerPlan } from "../../../src/runtimes/bootstrap/server-plan.ts";
import { freePort, planIn, PYTHON, runCell } from "../../support/run-cell.ts";
import { testWith } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { vmDirectory } from "../../support/vm-directory.ts";

const test = testWith("python3");

type Vm = ReturnType<typeof vmDirectory>;

/** Launches with what the machine has of packages and programs, until the server is ready. */
async function launched(vm: Vm, plan: ServerPlan, env: Readonly<Record<string, string>>) {
  writeFileSync(plan.secrets_file, "VLLM_API_KEY=sk-marker-secret\n");
  const place = { directory: vm.directory, nonce: "n1" };
  await runCell(launchCell(place, { launch: "L1", plan }), env);
  return until(async () => {
    const { stdout } = await runCell(pollCell({ ...place, nonce: "n2" }, "L1"));
    return /"phase": "(ready|failed)"/.exec(stdout)?.[1];
  });
}

/** A package as pip installs one. */
function install(site: string, name: string, { version, code }: { version: string; code: string }) {
  mkdirSync(join(site, name), { recursive: true });
  writeFileSync(join(site, name, "__init__.py"), code);
  const about = join(site, `${name}-${version}.dist-info`);
  mkdirSync(about);
  writeFileSync(
    join(about, "METADATA"),
    `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
  );
}

/** Writes down what it was asked for, and with which cache. */
const PIP = `
import os, sys
with open(os.environ["PIP_CALLS"], "a") as calls:
    print(*sys.argv[1:], "cache", os.environ.get("PIP_CACHE_DIR"), file=calls)
`;

test("S3-129: companions that were built for another CUDA, or do not import, are removed after the installation", async () => {
  using vm = vmDirectory();
  const site = vm.file("site");
  const calls = vm.file("pip-calls");
  install(site, "pip", { version: "24", code: "" });
  writeFileSync(join(site, "pip", "__main__.py"), PIP);
  install(site, "torch", { version: "2.9.0", code: 'class version:\n    cuda = "12.8"\n' });
  install(site, "torchaudio", { version: "2.6.0+cu124", code: "" });
  install(site, "torchvision", { version: "0.24.0+cu128", code: "" });
  install(site, "torchtext", { version: "0.18.0", code: "raise OSError('undefined symbol')" });
  const plan = planIn(vm, freePort(), {
    install: [["{python}", "-m", "pip", "install", "vllm"]],
    companions: ["torchaudio", "torchvision", "torchtext", "torchdata"],
    environment: { PIP_CACHE_DIR: "/tmp/of-the-machine" },
  });

  const phase = await launched(vm, plan, { PYTHONPATH: site, PIP_CALLS: calls });

  expect(phase).toBe("ready");
  expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
    "install vllm cache /tmp/of-the-machine",
    "uninstall -y torchaudio cache /tmp/of-the-machine",
    "uninstall -y torchtext cache /tmp/of-the-machine",
  ]);
});

test("S3-129: without torch nothing is removed", async () => {
  using vm = vmDirectory();
  const site = vm.file("site");
  install(site, "pip", { version: "24", code: "" });
  writeFileSync(join(site, "pip", "__main__.py"), PIP);
  install(site, "torch", { version: "2.9.0", code: "raise ImportError('none')" });
  install(site, "torchaudio", { version: "2.6.0+cu124", code: "" });
  const calls = vm.file("pip-calls");
  const plan = planIn(vm, freePort(), {
    install: [["{python}", "-m", "pip", "install", "llama-cpp-python"]],
    companions: ["torchaudio"],
  });

  const phase = await launched(vm, plan, { PYTHONPATH: site, PIP_CALLS: calls });

  expect(phase).toBe("ready");
  expect(readFileSync(calls, "utf8")).not.toContain("uninstall");
});

for (const { what, answer, dtype } of [
  { what: "is below 8.0", answer: "echo 7.5", dtype: "half" },
  { what: "is 8.0", answer: "echo 8.0", dtype: "auto" },
  { what: "cannot be told", answer: "exit 9", dtype: "auto" },
]) {
  test(`S3-132: a GPU whose compute capability ${what} serves with --dtype ${dtype}`, async () => {
    using vm = vmDirectory();
    const programs = vm.file("programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "nvidia-smi"), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const plain = planIn(vm, freePort());
    const plan = { ...plain, serve: [...plain.serve, "--dtype", "auto"] };

    const phase = await launched(vm, plan, { PATH: `${programs}:${PYTHON.PATH}` });

    const words = readFileSync(`/proc/${vm.pidOf("server.json")}/cmdline`, "utf8").split("\0");
    expect([phase, words.at(-2)]).toEqual(["ready", dtype]);
  });
}
