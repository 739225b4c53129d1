import { expect } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import * as fc from "fast-check";

import {
  beatCell,
  launchCell,
  logsCell,
  pollCell,
  probeCell,
  readyMarker,
  watchdogCell,
} from "../../../src/runtimes/bootstrap/cells.ts";
import { freePort, launchAndPoll, planIn, PYTHON, runCell } from "../../support/run-cell.ts";
import { testWith } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { end, isRunning, vmDirectory } from "../../support/vm-directory.ts";

const test = testWith("python3");
const BEAT = { beat: 1, remaining_s: 3600 };
const LIMITS = { ttl_s: 3600, poll_s: 0.05 };

/** A machine's own address, where it is released. */
function releaseDesk(status = 200) {
  const asked = Promise.withResolvers<string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.resolve(`${request.method} ${new URL(request.url).pathname}`);
      return new Response(null, { status });
    },
  });
  const env = { TBE_RUNTIME_ADDR: `127.0.0.1:${server.port}` };
  return { env, asked: asked.promise, [Symbol.dispose]: () => void server.stop(true) };
}

test("a watchdog is confirmed, and seen alive by the next heartbeat", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const place = { directory: vm.directory, nonce: "n1" };

  const installed = await runCell(watchdogCell(place, { beat: BEAT, limits: LIMITS }), desk.env);
  const beat = await runCell(beatCell({ ...place, nonce: "n2" }, { ...BEAT, beat: 2 }));

  expect(installed).toEqual({ stdout: "\n[veriroute] WATCHDOG n1\n", stderr: "" });
  expect(beat.stdout).toBe(
    '\n[veriroute] BEAT n2 {"watchdog_alive": true, "releasing": null, "phase": null}\n',
  );
});

test("a disk that fills up on the machine keeps the watchdog from nothing", async () => {
  using vm = vmDirectory();
  using desk = releaseDesk();
  symlinkSync("/dev/full", `${vm.directory}/watchdog.log`);
  const limits = { ttl_s: 2, poll_s: 0.05 };
  const place = { directory: vm.directory, nonce: "n1" };
  const { stdout } = await runCell(watchdogCell(place, { beat: BEAT, limits }), desk.env);
  const pid = vm.pidOf("alive.json");
  // Where it writes what it says of itself next.
  await until(() => {
    try {
      mkdirSync(`${vm.directory}/alive.json.${pid}`);
      return true;
    } catch {
      return false;
    }
  });

  expect(stdout).toContain("WATCHDOG n1");
  expect(await desk.asked).toBe("POST /unassign");
});

test("a watchdog that is installed twice runs once", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const cell = watchdogCell(
    { directory: vm.directory, nonce: "n1" },
    { beat: BEAT, limits: LIMITS },
  );
  await runCell(cell, desk.env);
  const first = vm.pidOf("alive.json");

  await runCell(cell, desk.env);

  expect(vm.pidOf("alive.json")).toBe(first);
});

test("a watchdog that died is found out by a heartbeat, and runs again once it is installed anew", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const place = { directory: vm.directory, nonce: "n1" };
  const beatWith = (beat: number) => beatCell(place, { ...BEAT, beat });
  await runCell(watchdogCell(place, { beat: BEAT, limits: LIMITS }), desk.env);
  const first = vm.pidOf("alive.json");
  end(first);
  await until(() => !isRunning(first) || readFileSync(`/proc/${first}/cmdline`, "utf8") === "");

  const dead = await runCell(beatWith(2));
  const again = watchdogCell(place, { beat: { ...BEAT, beat: 3 }, limits: LIMITS });
  await runCell(again, desk.env);
  const alive = await runCell(beatWith(4));

  expect(dead.stdout).toContain('"watchdog_alive": false');
  expect(alive.stdout).toContain('"watchdog_alive": true');
  expect(vm.pidOf("alive.json")).not.toBe(first);
});

test("a machine that does not say where it is released gets no watchdog, and no marker says so", async () => {
  using vm = vmDirectory();
  const place = { directory: vm.directory, nonce: "n1" };

  const { stdout, stderr } = await runCell(watchdogCell(place, { beat: BEAT, limits: LIMITS }));

  expect(stdout).toBe("");
  expect(stderr).toContain("TBE_RUNTIME_ADDR");
});

test("the machine is released once the heartbeat stops", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const limits = { ttl_s: 0.5, poll_s: 0.05 };
  await runCell(
    watchdogCell({ directory: vm.directory, nonce: "n1" }, { beat: BEAT, limits }),
    desk.env,
  );

  expect(await desk.asked).toBe("POST /unassign");
});

test("the machine is released at the hard deadline, heartbeat or not", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const place = { directory: vm.directory, nonce: "n1" };
  const beat = { beat: 1, remaining_s: 0.5 };
  await runCell(watchdogCell(place, { beat, limits: LIMITS }), desk.env);

  expect(await desk.asked).toBe("POST /unassign");
});

test("a heartbeat that is sent again without news is no sign of life", async () => {
  using desk = releaseDesk();
  using vm = vmDirectory();
  const place = { directory: vm.directory, nonce: "n1" };
  const limits = { ttl_s: 0.8, poll_s: 0.05 };
  await runCell(watchdogCell(place, { beat: BEAT, limits }), desk.env);
  const seen = { released: false };
  const asked = desk.asked.then(() => (seen.released = true));

  while (!seen.released) await runCell(beatCell(place, BEAT));

  expect(await asked).toBe(true);
});

test("where the release fails the server is ended, so that the machine falls idle", async () => {
  using desk = releaseDesk(500);
  using vm = vmDirectory();
  const server = Bun.spawn(["sleep", "600"], { env: PYTHON, detached: true });
  writeFileSync(`${vm.directory}/server.json`, JSON.stringify({ pid: server.pid, word: "sleep" }));
  const limits = { ttl_s: 0.3, poll_s: 0.05 };
  await runCell(
    watchdogCell({ directory: vm.directory, nonce: "n1" }, { beat: BEAT, limits }),
    desk.env,
  );

  expect(await server.exited).toBe(137);
  expect(isRunning(vm.pidOf("alive.json"))).toBe(true);
});

test("a server that answers is ready, in a session of its own and with secrets nobody else sees", async () => {
  using vm = vmDirectory();
  const plan = planIn(vm, freePort());

  const polled = await launchAndPoll(vm, plan);

  expect(polled).toContain(readyMarker("L1"));
  const server = vm.pidOf("server.json");
  // Field 6 is the session, which the server leads.
  const session = readFileSync(`/proc/${server}/stat`, "utf8").split(") ")[1]?.split(" ")[3];
  expect(Number(session)).toBe(server);
  expect(await Bun.file(plan.secrets_file).exists()).toBe(false);
  expect(readFileSync(`/proc/${server}/cmdline`, "utf8")).not.toContain("marker");
});

test("a launch that is asked for twice happens once", async () => {
  using vm = vmDirectory();
  const plan = planIn(vm, freePort());
  await launchAndPoll(vm, plan);
  const first = vm.pidOf("status.json");

  await runCell(launchCell({ directory: vm.directory, nonce: "n3" }, { launch: "L1", plan }));

  expect(vm.pidOf("status.json")).toBe(first);
});

test("a server that dies is failed with its log, without the secrets in it", async () => {
  using vm = vmDirectory();
  const server = `import os\nprint("key", os.environ["VLLM_API_KEY"])\nraise RuntimeError("CUDA out of memory")`;

  const polled = await launchAndPoll(vm, planIn(vm, freePort(), { server }));

  expect(polled).toContain('"phase": "failed", "detail": "the server ended with 1"');
  expect(polled).toContain("RuntimeError: CUDA out of memory");
  expect(polled).toContain("key [redacted]");
  expect(polled).not.toContain("READY");
  expect(polled).not.toContain("sk-marker-secret");
});

const DOWNLOADS = [
  {
    what: "that its name names",
    files: ["gguf/qwen-q4_k_m.gguf", "gguf/qwen-Q8_0.gguf"],
    served: "gguf/qwen-q4_k_m.gguf",
  },
  {
    what: "that its folder alone names, from its first part on",
    files: ["Q4_K_M/qwen-00002-of-00002.gguf", "Q4_K_M/qwen-00001-of-00002.gguf"],
    served: "Q4_K_M/qwen-00001-of-00002.gguf",
  },
  {
    what: "that its name names rather than a folder",
    files: ["q4_k_m-and-others/a-Q8_0.gguf", "q4_k_m-and-others/b-Q4_K_M.gguf"],
    served: "q4_k_m-and-others/b-Q4_K_M.gguf",
  },
] as const;

for (const { what, files, served } of DOWNLOADS) {
  test(`the file is served ${what}`, async () => {
    using vm = vmDirectory();
    const models = vm.file("models");
    for (const file of files) {
      mkdirSync(dirname(`${models}/${file}`), { recursive: true });
      writeFileSync(`${models}/${file}`, "");
    }
    const server = 'import sys\nprint("serves", sys.argv[1], flush=True)\nsys.exit(3)';
    const download = { commands: [], directory: models, pattern: "*[qQ]4_[kK]_[mM]*.gguf" };
    const serve = ["{python}", "-c", server, "{model}"];

    const polled = await launchAndPoll(vm, planIn(vm, freePort(), { download, serve }));

    expect(polled).toContain(`serves ${models}/${served}`);
  });
}

test("a server that never answers is failed at its limit", async () => {
  using vm = vmDirectory();
  const server = "import time\ntime.sleep(600)";
  const plan = planIn(vm, freePort(), { server, ready_limit_s: 0.3 });

  expect(await launchAndPoll(vm, plan)).toContain("did not answer within");
});

test("an installation that fails is told, and nothing is served", async () => {
  using vm = vmDirectory();
  const install = [["{python}", "-c", "import sys; print('ERROR: no space'); sys.exit(2)"]];

  const polled = await launchAndPoll(vm, planIn(vm, freePort(), { install }));

  expect(polled).toContain('"phase": "failed"');
  expect(polled).toContain("ERROR: no space");
  expect(vm.pidOf("server.json")).toBe(0);
});

test("a launcher that was killed is failed, not forever loading", async () => {
  using vm = vmDirectory();
  const server = "import time\ntime.sleep(600)";
  const place = { directory: vm.directory, nonce: "n1" };
  await runCell(launchCell(place, { launch: "L1", plan: planIn(vm, freePort(), { server }) }));
  end(vm.pidOf("status.json"));

  const { stdout } = await runCell(pollCell(place, "L1"));

  expect(stdout).toContain("the launcher ended without a word");
});

test("a poll for another start knows of none", async () => {
  using vm = vmDirectory();

  const { stdout } = await runCell(pollCell({ directory: vm.directory, nonce: "n1" }, "L9"));

  expect(stdout).toContain('"phase": "unknown"');
});

test("the last lines of every log come back", async () => {
  using vm = vmDirectory();
  writeFileSync(`${vm.directory}/server.log`, "one\ntwo\nthree\n");

  const { stdout } = await runCell(logsCell({ directory: vm.directory, nonce: "n1" }, 2));

  expect(stdout).toBe(
    '\n[veriroute] LOGS n1 {"watchdog.log": [], "launcher.log": [], "install.log": [], "server.log": ["two", "three"]}\n',
  );
});

test("a probe tells what the machine is, with or without a GPU", async () => {
  const { stdout } = await runCell(probeCell({ nonce: "n1" }), { TBE_RUNTIME_ADDR: "x" });

  const [, json = ""] = /PROBED n1 (.*)/.exec(stdout) ?? [];
  expect(Object.keys(JSON.parse(json))).toEqual(["gpus", "python", "disk_free_gib", "can_release"]);
  expect(JSON.parse(json).can_release).toBe(true);
});

test("any text that a cell is told arrives as it is", async () => {
  const texts = fc.sample(fc.string({ unit: "binary" }), { numRuns: 200, seed: 7 });
  const tricky = ["%magic", "!ls", "'''", '"""', "\\n", "\u2028", "😀", "{python}"];
  const value = [...texts, ...tricky].join("\u0001");
  const cell = beatCell({ nonce: value }, BEAT);
  const echo = `${cell.script.split("PARAMETERS = ")[0]}\n${/^PARAMETERS = .*$/m.exec(cell.script)?.[0]}\nimport sys\nsys.stdout.buffer.write(json.dumps(PARAMETERS["nonce"]).encode())`;

  const { stdout } = await runCell({ script: echo, marker: "" });

  expect(JSON.parse(stdout)).toBe(value);
});
