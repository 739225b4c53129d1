import { expect, test } from "bun:test";

import { type Random, seededRandom } from "../../../src/lib/random.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";
import { assign } from "../../support/fake-colab/google.ts";
import { HOUR, MINUTE, T4_PLAN } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";

/** How many lives: `BUN_LIVES=1000` asks for more, `BUN_FIRST_LIFE` for others. */
const LIVES = Number(process.env["BUN_LIVES"] ?? 150);
const FIRST = Number(process.env["BUN_FIRST_LIFE"] ?? 1);

/** What may go wrong at once; each holds for some calls, or for a while. */
const TROUBLES: readonly Faults[] = [
  {},
  { new: "timeout-leak*1", leak_ms: 2 * MINUTE },
  { new: "crash-after-assign*1" },
  { new: "crash-before*1" },
  { new: "not-stored*1" },
  { new: "wrong-gpu*1" },
  { new: "hang*1" },
  { new: "503*1" },
  { new: "412*1" },
  { new: "outcome*1" },
  { list_lag_ms: 40_000 },
  // Nobody can know of a machine that no listing shows for more than five minutes.
  { list_lag_ms: 4 * MINUTE },
  { sessions: "500*3" },
  { sessions: "false-empty*4" },
  { sessions: "badenum*2" },
  { stop: "500*3" },
  { stop: "lies*2" },
  { stop: "not-found*2" },
  { stop: "network*4" },
  { stop: "hang*1" },
  { exec: "silent*2" },
  { exec: "traceback*5" },
  { exec: "lost*1" },
  { exec: "conn-lost*3" },
  { exec: "hang*1" },
  { exec: "partial*2" },
  { exec: "timeout-late*3" },
  { exec: "noise*4" },
  { upload: "fail*2" },
  { upload: "hang*1" },
  { watchdog: "no" },
  { boot_ms: 20 * MINUTE },
  { boot_ms: 3 * HOUR },
  { boot_fail: "CUDA out of memory" },
  { vanish_after_ms: 20 * MINUTE },
  { token_ttl_s: 400 },
  { banner: "1" },
  { auth: "adc-expired" },
];

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

type Rig = ReturnType<typeof supervisedRig>;
type Process = ReturnType<Rig["process"]>;

/** Adds one trouble to those there are. */
function trouble({ rig }: Rig, random: Random): void {
  const before = rig.colab.server.transact(({ faults }) => faults);
  rig.colab.setFaults({ ...before, ...structuredClone(pick(random, TROUBLES)) });
}

/** Kills the process at one of its commands: that one may still come to its end, nothing of ours does. */
function killAt(made: Rig, random: Random, commands = 30): Promise<void> {
  const killed = Promise.withResolvers<void>();
  const at = 1 + Math.floor(random() * commands);
  const goesOn = random() < 0.6;
  let count = 0;
  made.rig.colab.around = async (_argv, run) => {
    count += 1;
    if (count < at) return run();
    if (count === at && goesOn) await run();
    killed.resolve();
    return new Promise(() => undefined);
  };
  return killed.promise;
}

/** Brings a machine up, uses it, and is killed somewhere on the way. */
async function servingProcess(made: Rig, random: Random): Promise<void> {
  const { begin, bringUp, pass, supervisor, attachments, kill } = made.process();
  attachments.probe = async () => random() < 0.8;
  await begin("a", { plan: T4_PLAN, served_model: "qwen" });
  const killed = killAt(made, random);
  const rentAndUse = async () => {
    await bringUp("a", { without_watchdog: random() < 0.3 });
    await pass(Math.floor(random() * 6) * 10 * MINUTE);
    if (random() < 0.3) await supervisor.release("a", { why: "somebody said so" });
  };
  await Promise.race([killed, rentAndUse()]);
  kill();
  made.rig.colab.around = (_argv, run) => run();
}

/** How an answer of `colab new` is lost, with a machine or without. */
const LOST: readonly Faults[] = [
  { new: "timeout-leak*1", leak_ms: 2 * MINUTE },
  { new: "timeout-leak*1", leak_ms: 4 * MINUTE },
  { new: "crash-after-assign*1" },
  { new: "crash-before*1" },
  { new: "not-stored*1" },
  { new: "hang*1" },
];

/** Rents what is not refused, all on the same hardware, of which some answers are lost; none waits for another's end. */
async function crowd(made: Rig, random: Random, { up, pass, supervisor }: Process) {
  for (const name of NAMES) {
    if (random() < 0.5) {
      const before = made.rig.colab.server.transact(({ faults }) => faults);
      made.rig.colab.setFaults({ ...before, ...structuredClone(pick(random, LOST)) });
    }
    const started = await up(name, { plan: T4_PLAN, served_model: "qwen" });
    if (started.ok && random() < 0.8) await started.outcome;
    if (random() < 0.3) await supervisor.release(pick(random, NAMES), { why: "somebody said so" });
    await pass(Math.floor(random() * 5) * MINUTE);
  }
}

const NAMES = ["a", "b", "c", "d"] as const;

/** Rents several at once, and is killed somewhere on the way. */
async function crowdedProcess(made: Rig, random: Random): Promise<void> {
  const process = made.process();
  process.attachments.probe = async () => random() < 0.8;
  const killed = killAt(made, random, 80);
  await Promise.race([killed, crowd(made, random, process)]);
  await process.die();
  made.rig.colab.around = (_argv, run) => run();
}

/** Prepares something without a GPU, and is killed somewhere on the way. */
async function bakingProcess(made: Rig, random: Random): Promise<void> {
  const { bake, kill } = made.process();
  const killed = killAt(made, random);
  const prepare = async () => {
    const limit = new AbortController();
    const started = await bake({ recipe: "llamacpp", sku: "T4" }, limit.signal);
    if (!started.ok) return;
    await started.outcome;
    limit.abort();
    await started.close(limit.signal);
  };
  await Promise.race([killed, prepare()]);
  kill();
  made.rig.colab.around = (_argv, run) => run();
}

/** What a life has to end with: nothing that costs money unsaid, no machine stopped that was another's. */
const GOOD = { unreported: [], billing: [], foreign: [], leases: [] };

/** Machines of ours that no lease accounts for, and of which nobody was told. */
function unsaid({ rig, told }: Rig, names: ReadonlySet<string | null>) {
  return rig.colab
    .billing()
    .filter(({ session }) => session !== null && !names.has(session))
    .filter(({ endpoint }) => !told.join("\n").includes(endpoint));
}

/** Trouble, a process that is killed, another that finds what it left; then all is well again. */
async function live(seed: number, firstProcess: (made: Rig, random: Random) => Promise<void>) {
  const random = seededRandom(seed);
  using made = supervisedRig();
  const { rig } = made;
  // Somebody's notebook, on the same GPU.
  if (random() < 0.5) rig.colab.server.transact((state, now) => assign(state, "T4", now));
  trouble(made, random);
  if (random() < 0.5) trouble(made, random);
  await firstProcess(made, random);
  trouble(made, random);
  const process = made.process();
  const { supervisor, leases, pass } = process;
  await supervisor.start();
  if (firstProcess === crowdedProcess && random() < 0.5) await crowd(made, random, process);
  await pass(Math.floor(random() * 60) * MINUTE);
  const unreported = unsaid(made, new Set((await leases.list()).map(({ name }) => name)));
  rig.colab.setFaults({});
  const end = rig.clock.now() + 6 * HOUR;
  while (rig.clock.now() < end && (await leases.list()).length > 0) await pass(10 * MINUTE);
  const billing = unsaid(made, new Set());
  const { releases, machines } = rig.colab.server.transact((state) => structuredClone(state));
  const foreign = releases.filter(
    ({ by, session, stopped_as }) => by === "stop" && session !== stopped_as,
  );
  // What nobody releases on a guess a person does, who was told.
  if (firstProcess === bakingProcess && machines.length > 0) {
    rig.colab.server.transact((state) => void (state.machines = []));
    await pass(10 * MINUTE);
  }
  return { unreported, billing, foreign, leases: await leases.list() };
}

test.each([
  { what: "that serve", lives: LIVES, firstProcess: servingProcess },
  { what: "of several at once", lives: Math.ceil(LIVES / 3), firstProcess: crowdedProcess },
  { what: "that prepare", lives: Math.ceil(LIVES / 5), firstProcess: bakingProcess },
])(
  "T1: of $lives lives $what none ends with a machine that costs money and that nobody speaks of, or stops another's",
  async ({ lives, firstProcess }) => {
    for (let seed = FIRST; seed < FIRST + lives; seed++) {
      expect({ seed, ...(await live(seed, firstProcess)) }).toEqual({ seed, ...GOOD });
    }
  },
  120_000,
);
