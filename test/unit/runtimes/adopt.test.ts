import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { runStatus } from "../../../src/cli/runtimes/status.ts";
import type { Shell } from "../../../src/cli/terminal/shell.ts";
import { adoptMachine } from "../../../src/runtimes/adopt.ts";
import { runtimeSettings } from "../../../src/runtimes/policy/settings.ts";
import { viewOf } from "../../../src/runtimes/views.ts";
import { assign } from "../../support/fake-colab/google.ts";
import { T4_PLAN } from "../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../support/supervised-rig.ts";
import { configOf } from "../config/load.ts";

const READY = { phase: "ready", base_url: "http://127.0.0.1:18000/v1" } as const;

/** Takes a machine over in a process of its own, under such a config. */
function adopt(made: SupervisedRig, endpoint: string, config = "") {
  const settings = runtimeSettings(configOf(`[runtimes]\nenabled = true\n${config}\n`));
  const { clock, newDriver } = made.rig;
  const making = {
    clock,
    settings: () => settings,
    readClocks: () => ({ now: clock.now(), elapsed: clock.elapsed(), boottime: clock.elapsed() }),
    newId: () => Bun.randomUUIDv7(),
    version: "0.0.0",
    process: { pid: 7, host: "home", boot_id: "boot-1" },
  };
  const { leases } = made.process();
  return adoptMachine(making, { leases, driver: newDriver() }, { endpoint, name: "found" });
}

async function statusOf(made: SupervisedRig): Promise<string> {
  const said: string[] = [];
  const shell: Shell = {
    env: {},
    cwd: "/",
    clock: made.rig.clock,
    color: false,
    input: async function* () {},
    print: (text) => void said.push(text),
    complain: (text) => void said.push(text),
  };
  const words = { positionals: [], values: {}, flags: new Set(["check"]) };
  const own = { ...made.dependencies, driver: made.rig.driver, watcherOf: () => null };
  await runStatus(own, words, shell);
  return said.join("\n");
}

test("beside a lease that cannot be read the others account for their machines", async () => {
  using made = supervisedRig();
  const { rent, kill } = made.process();
  const { endpoint } = await rent("gpu", READY);
  const stray = made.rig.colab.server.transact((state, now) => assign(state, "L4", now)).endpoint;
  writeFileSync(join(made.directory, "torn.json"), "{");

  const [status, adopted] = [await statusOf(made), await adopt(made, endpoint ?? "none")];
  kill();
  const next = made.process();
  await next.supervisor.start();

  expect(status).toContain(`Colab lists ${endpoint} (T4): gpu\n`);
  expect(status).toContain(
    `Colab lists ${stray} (L4), which no lease accounts for: a notebook of yours, that of \`torn\`, whose lease cannot be read, or veriroute runtimes adopt ${stray}`,
  );
  expect(adopted).toEqual({ ok: false, problem: `\`${endpoint}\` is the runtime \`gpu\` already` });
  expect(made.told.filter((text) => text.includes("adopt"))).toEqual([
    `${stray} (L4) runs, and no lease that can be read accounts for it; to take it over: veriroute runtimes adopt ${stray}`,
  ]);
});

test("a machine that is on its way to a lease is not taken over meanwhile", async () => {
  using made = supervisedRig();
  const { up } = made.process();
  let adopted: Promise<unknown> | undefined;
  made.rig.colab.around = async (argv, run) => {
    const result = await run();
    if (argv.includes("new")) {
      await (adopted ??= adopt(made, made.rig.colab.billing()[0]?.endpoint ?? "none"));
    }
    return result;
  };

  const started = await up("a", { plan: T4_PLAN, served_model: "qwen", sku: "T4" });

  expect(started.ok && (await started.outcome)).toEqual({ kind: "ready" });
  expect(await adopted).toMatchObject({
    ok: false,
    problem: expect.stringContaining("being rented"),
  });
});

test.each([
  {
    accelerator: "H100",
    config: "max_compute_units = 5",
    says: "`runtimes.rates.H100`, set before",
  },
  {
    accelerator: "NONE",
    config: "max_compute_units = 5",
    says: "`runtimes.rates.CPU`, set before",
  },
  { accelerator: "V5E1", config: "max_compute_units = 5", says: "only its deadlines do" },
])(
  "S3-105: taking over $accelerator says that its compute units are not counted",
  async ({ accelerator, config, says }) => {
    using made = supervisedRig();
    const { server } = made.rig.colab;
    const { endpoint } = server.transact((state, now) => assign(state, accelerator, now));

    const adopted = await adopt(made, endpoint, config);

    const lease = adopted.ok ? adopted.lease : null;
    expect(lease).toMatchObject({ max_cu: 5, rate: { cu_h: null } });
    const view = lease === null ? null : viewOf(lease, { now: 0, watched_by: null });
    const what = view?.last_event?.what;
    expect(what).toStartWith("taken over; what it runs is not known; nobody knows what a ");
    expect(what).toContain("`runtimes.max_compute_units` does not end it");
    expect(what).toContain(says);
  },
);

test.each([
  { what: "no limit", accelerator: "H100", config: "", cu_h: null },
  { what: "a rate of its own", accelerator: "H100", config: "rates.H100 = 11", cu_h: 11 },
  { what: "a rate without GPU", accelerator: "NONE", config: "rates.CPU = 0.08", cu_h: 0.08 },
])("taking over a machine with $what needs no such words", async (row) => {
  using made = supervisedRig();
  const { server } = made.rig.colab;
  const { endpoint } = server.transact((state, now) => assign(state, row.accelerator, now));
  const limit = row.cu_h === null ? "" : "max_compute_units = 5\n";

  const adopted = await adopt(made, endpoint, `${limit}${row.config}`);

  expect(adopted).toMatchObject({
    ok: true,
    lease: {
      rate: { cu_h: row.cu_h },
      events: [{ what: "taken over; what it runs is not known" }],
    },
  });
});
