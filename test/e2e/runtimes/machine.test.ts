import { expect, test } from "bun:test";

import { createMachineCalls } from "../../../src/runtimes/bootstrap/machine.ts";
import { secretsFile } from "../../../src/runtimes/bootstrap/secrets-file.ts";
import { keyVariable, serverPlan } from "../../../src/runtimes/bootstrap/server-plan.ts";
import type { LeasePlan, LeaseSpec } from "../../../src/runtimes/lease-plan.ts";
import { colabRig } from "../../support/colab-rig.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";

const PLAN: LeasePlan = {
  sku: "T4",
  recipe: "vllm",
  dtype: "half",
  gpu_memory_utilization: 0.9,
  environment: {},
  required_gib: 5.6,
  budget_gib: 11.475,
  notes: [],
};
const REQUEST = {
  spec: {
    repo: "Qwen/Qwen2.5-1.5B-Instruct",
    revision: null,
    ctx: 8192,
    quant: null,
    concurrency: null,
  },
  plan: PLAN,
  served_model: "qwen",
  ready_limit_ms: 2_700_000,
  baked: null,
};
const BEAT = { beat: 1, remaining_s: 14_400 };
const LIMITS = { ttl_s: 1800, poll_s: 10 };

async function rented(faults: Faults = {}) {
  const rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });
  rig.colab.setFaults(faults);
  let count = 0;
  const nonce = () => `n${(count += 1)}`;
  const machine = createMachineCalls({ driver: rig.driver, name: "a", nonce });
  return { rig, machine, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

test("a machine is probed, guarded, given its secrets, launched and ready", async () => {
  using run = await rented({ boot_ms: 60_000 });
  const { machine, rig } = run;

  expect(await machine.probe()).toMatchObject({ kind: "ok", can_release: true });
  expect(await machine.installWatchdog(BEAT, LIMITS)).toEqual({ kind: "ok" });
  expect(await machine.sendSecrets({ VLLM_API_KEY: "sk-marker" })).toEqual({ kind: "ok" });
  expect(await machine.launch("L1", serverPlan(REQUEST))).toEqual({ kind: "ok" });
  expect(await machine.poll("L1")).toEqual({ kind: "pending", phase: "loading" });
  rig.move(61_000);
  expect(await machine.poll("L1")).toEqual({ kind: "ready" });
  expect(await machine.sendHeartbeat({ beat: 2, remaining_s: 14_000 })).toEqual({
    kind: "ok",
    watchdog_alive: true,
    releasing: null,
    phase: "ready",
  });
  expect(rig.colab.billing()).toMatchObject([{ files: { "/content/.veriroute.env": 23 } }]);
});

test("a guarded machine is off the bill when its heartbeats end", async () => {
  using run = await rented();
  await run.machine.installWatchdog(BEAT, LIMITS);

  run.rig.move(1_799_000);
  expect(run.rig.colab.billing()).toHaveLength(1);
  run.rig.move(2000);
  expect(run.rig.colab.billing()).toEqual([]);
});

test("a server that does not come is dead, with the reason", async () => {
  using run = await rented({ boot_fail: "RuntimeError: CUDA out of memory" });
  await run.machine.launch("L1", serverPlan(REQUEST));

  expect(await run.machine.poll("L1")).toEqual({
    kind: "dead",
    detail: "RuntimeError: CUDA out of memory",
    tail: [],
  });
});

test("a start that the machine does not know is dead, not pending", async () => {
  using run = await rented();

  expect(await run.machine.poll("L9")).toMatchObject({ kind: "dead" });
});

test("a watchdog that cannot be installed is a failure", async () => {
  using run = await rented({ watchdog: "missing" });

  expect(await run.machine.installWatchdog(BEAT, LIMITS)).toMatchObject({
    kind: "failed",
    fault: { kind: "no_marker", detail: expect.stringContaining("does not say where") },
  });
});

test("an answer that breaks off is a failure, not a phase", async () => {
  using run = await rented({ exec: "partial" });

  expect(await run.machine.poll("L1")).toMatchObject({ kind: "failed" });
});

test("vLLM gets its type by the GPU and its memory in so many words", () => {
  const { serve, install, download, ready_limit_s } = serverPlan(REQUEST);

  expect({ serve, install, download, ready_limit_s }).toEqual({
    install: [["{python}", "-m", "pip", "install", "--quiet", "vllm", "bitsandbytes"]],
    serve: [
      ["{python}", "-m", "vllm.entrypoints.openai.api_server"],
      ["--model=Qwen/Qwen2.5-1.5B-Instruct", "--served-model-name=qwen"],
      ["--host", "127.0.0.1", "--port", "8000", "--max-model-len", "8192"],
      ["--dtype", "half", "--gpu-memory-utilization", "0.9"],
    ].flat(),
    download: null,
    ready_limit_s: 2700,
  });
});

test.each<{ what: string; spec: Partial<LeaseSpec>; says: readonly string[] }>([
  { what: "asked for four at once", spec: { concurrency: 4 }, says: ["--max-num-seqs", "4"] },
  { what: "asked for one at once", spec: { concurrency: 1 }, says: ["--max-num-seqs", "1"] },
  {
    what: "asked for 4 bits of plain weights",
    spec: { quant: "int4" },
    says: ["--quantization", "bitsandbytes"],
  },
  { what: "asked for weights as they are in the repository", spec: { quant: "awq" }, says: [] },
])("vLLM is told what was $what", ({ spec, says }) => {
  const plain = serverPlan(REQUEST).serve;

  expect(serverPlan({ ...REQUEST, spec: { ...REQUEST.spec, ...spec } }).serve).toEqual([
    ...plain,
    ...says,
  ]);
});

test.each(["vllm", "llamacpp"] as const)(
  "S3-116: %s is not told to run a repository's code",
  (recipe) => {
    const { serve, environment } = serverPlan({ ...REQUEST, plan: { ...PLAN, recipe } });

    expect(JSON.stringify([serve, environment])).not.toMatch(/remote.?code/i);
  },
);

test.each(["vllm", "llamacpp"] as const)(
  "S3-130, S3-131: %s is installed with pip's cache on the machine's own disk, into whatever its Python uses",
  (recipe) => {
    const plan = serverPlan({ ...REQUEST, plan: { ...PLAN, recipe } });

    expect(plan.environment).toMatchObject({ PIP_CACHE_DIR: expect.stringMatching(/^\/tmp\//) });
    expect(plan.install.map((words) => words.slice(0, 4))).toEqual([
      ["{python}", "-m", "pip", "install"],
    ]);
    // No interpreter's directory, and no mounted drive.
    expect(JSON.stringify(plan)).not.toMatch(/(?:dist|site)-packages|python3|\/drive|--target/);
  },
);

test("llama.cpp gets the file of the quantization, in any letter case", () => {
  const plan: LeasePlan = { ...PLAN, recipe: "llamacpp" };
  const spec = { repo: "q/gguf", revision: "main", ctx: 4096, quant: "q4_k_m", concurrency: 1 };

  const { download, serve, environment } = serverPlan({ ...REQUEST, plan, spec });

  expect(download?.pattern).toBe("*[qQ]4_[kK]_[mM]*.gguf");
  expect(new Bun.Glob(download?.pattern ?? "").match("qwen-7b-Q4_K_M.gguf")).toBe(true);
  expect(download?.commands.flat().join(" ")).toContain('ignore_patterns=["*mmproj*"]');
  expect(serve.slice(3)).toEqual(
    [
      ["--model", "{model}", "--host", "127.0.0.1", "--port", "8000"],
      ["--n_ctx", "4096", "--n_gpu_layers", "-1"],
      ["--interrupt_requests", "false", "--logits_all", "false", "--model_alias", "qwen"],
    ].flat(),
  );
  expect(environment).toMatchObject({
    CMAKE_ARGS: "-DGGML_CUDA=on -DCMAKE_CUDA_ARCHITECTURES=75",
  });
});

test.each(["vllm", "llamacpp"] as const)("no key is among the arguments of %s", (recipe) => {
  const { serve, key_variable } = serverPlan({ ...REQUEST, plan: { ...PLAN, recipe } });

  expect(key_variable).toBe(keyVariable(recipe));
  expect(serve.filter((word) => /key|token/i.test(word))).toEqual([]);
});

test.each([
  { name: "a line break", secrets: { A: "x\nB=y" } },
  { name: "a name that is none", secrets: { "A=B": "x" } },
])("a secret with $name is refused rather than changed", ({ secrets }) => {
  expect(() => secretsFile({ ...secrets })).toThrow(/`A/);
});
