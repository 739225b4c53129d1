import { readableDuration } from "../../lib/durations.ts";
import { type BakedFiles, type Manifest, openBakedFiles } from "../../runtimes/bake/baked-files.ts";
import { startBake } from "../../runtimes/bake/start-bake.ts";
import { bakeKey } from "../../runtimes/bootstrap/bake-plan.ts";
import { systemPause } from "../../runtimes/pause.ts";
import { bakedDirectory } from "../../runtimes/places.ts";
import { bakeObstacle } from "../../runtimes/policy/bake.ts";
import type { RuntimeSettings } from "../../runtimes/policy/settings.ts";
import { shownInstant } from "../../runtimes/policy/words.ts";
import { missingColab } from "../../runtimes/up/tools.ts";
import { estimate } from "../../sizing/estimate.ts";
import type { Plan } from "../../sizing/fit.ts";
import { USD_PER_CU } from "../../sizing/gpus.ts";
import { EXIT, type Words } from "../command.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import type { Asked } from "./asked.ts";
import { followBake } from "./bake-follow.ts";
import { findForEstimate } from "./estimate.ts";
import type { OwnRuntimes } from "./own.ts";

export interface BakeWords {
  readonly own: OwnRuntimes;
  readonly repo: string;
  readonly asked: Asked;
  readonly words: Words;
}

/**
 * Has a machine without GPU do what starts of this model would spend a GPU's time on, and keeps it on this
 * computer. This process keeps the machine's deadlines and gives it back.
 */
export async function runBake(request: BakeWords, shell: Shell): Promise<number> {
  const { own, words } = request;
  const planned = await planFor(request, shell);
  if (typeof planned === "string") return failed(planned, shell);
  const key = bakeKey(planned);
  const baked = openBakedFiles(bakedDirectory(own.state_dir));
  await sayWhatItIs(planned, baked, shell);
  shell.complain(paint(shell, "bold", burnText(own.settings)));
  const obstacle = bakeObstacle(own.settings, words.flags.has("yes"));
  if (obstacle !== null) return failed(obstacle, shell);
  const problem = await bake({ own, baked, plan: planned, name: `bake-${key}` }, shell);
  const made = await baked.read(key);
  if (problem !== null || made === null) return failed(problem ?? "nothing was prepared", shell);
  if (words.flags.has("json")) shell.print(JSON.stringify(made));
  else shell.print(`${key} is baked: ${contentText(made)}; every start of that kind uses it`);
  return EXIT.ok;
}

interface Baking {
  readonly own: OwnRuntimes;
  readonly baked: BakedFiles;
  readonly plan: Plan;
  readonly name: string;
}

/** Null once it is done and its machine proven gone. */
async function bake({ own, baked, plan, name }: Baking, shell: Shell): Promise<string | null> {
  const missing = await missingColab(own.driver);
  if (missing !== null) return missing;
  try {
    const started = await startBake(
      { ...own, ...own.making, baked, pause: systemPause, notify: shell.complain },
      { name, plan },
    );
    if (!started.ok) return started.problem;
    shell.complain(`the lease is in ${own.state_dir}; Ctrl-C gives the machine back`);
    return await followBake({ own, name, started }, shell);
  } catch (error) {
    // Before anybody answers for the lease nothing has been rented.
    return error instanceof Error ? error.message : String(error);
  }
}

async function planFor({ own, repo, asked }: BakeWords, shell: Shell): Promise<Plan | string> {
  const { settings } = own;
  const found = await findForEstimate(repo, own, shell);
  if (!found.ok) return found.problem;
  const today = new Date(shell.clock.now()).toISOString().slice(0, 10);
  const result = estimate({ ...asked, facts: found.facts, rates: settings.rates, today });
  if (result.kind === "refused") return `it fits no GPU that was asked for; ${result.advice.text}`;
  return result.plan;
}

async function sayWhatItIs(plan: Plan, baked: BakedFiles, shell: Shell): Promise<void> {
  const key = bakeKey(plan);
  const what =
    plan.recipe === "vllm"
      ? "vLLM's versions are resolved once; its wheels are published, so nothing is built, and weights come from the Hub at each start"
      : `llama.cpp is built for ${plan.sku} once, which a start would do on the GPU machine; weights come from the Hub at each start`;
  shell.complain(`${key}: ${what}`);
  const before = await baked.read(key);
  if (before === null) return;
  shell.complain(`takes the place of that of ${shownInstant(before.made_at)}`);
}

/** What it burns, and when it ends at the latest. */
function burnText({ cpu_rate, max_life_ms }: RuntimeSettings): string {
  const ends = `released once it is done, after ${readableDuration(max_life_ms)} in any case`;
  if (cpu_rate === null) {
    return `a machine without GPU burns compute units at a rate that no source names (\`runtimes.rates.CPU\`); ${ends}`;
  }
  const most = (cpu_rate * max_life_ms) / 3_600_000;
  return `a machine without GPU burns ~${cpu_rate} CU an hour, ${(cpu_rate * USD_PER_CU).toFixed(2)} USD; ${ends}: at most ~${most.toFixed(2)} CU, ${(most * USD_PER_CU).toFixed(2)} USD`;
}

function contentText({ parts, packages, wheels, python }: Manifest): string {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const built = wheels.length === 0 ? "" : `, ${wheels.join(", ")}`;
  return `${packages.length} versions${built} for Python ${python}, ${Math.ceil(bytes / 1024)} KiB`;
}

function failed(problem: string, shell: Shell): number {
  shell.complain(`veriroute runtimes: ${problem}`);
  return EXIT.failed;
}
