import { providerType } from "../../catalog/provider-types.ts";
import type { RuntimeParts } from "../assemble.ts";
import type { Lease } from "../lease.ts";
import { codeOf } from "../leases/lease-error.ts";
import { hubAccess } from "../metadata/hub-access.ts";
import { openStoredPlans, type StoredPlans } from "../metadata/stored-plans.ts";
import { plansDirectory } from "../places.ts";
import { settingsObstacle } from "../policy/settings.ts";
import { nameProblem } from "../policy/up.ts";
import type { RuntimesDependencies } from "../runtimes-dependencies.ts";
import type { BringUpOutcome } from "./bring-up.ts";
import { type Judged, judgeWish } from "./judge-wish.ts";
import { startUp } from "./start-up.ts";
import { missingTool } from "./tools.ts";
import { nameFor, type UpWish } from "./wish.ts";

export type Up =
  | { readonly ok: true; readonly lease: Lease }
  /** Nothing was rented. */
  | { readonly ok: false; readonly problem: string };

/** Looks at everything that can be wrong before money is spent, in the order of what it takes; then rents. */
export async function up(
  dependencies: RuntimesDependencies,
  begin: () => Promise<RuntimeParts>,
  wish: UpWish,
): Promise<Up> {
  const { env, fetch, version, clock, registry } = dependencies;
  const settings = dependencies.settings();
  const name = wish.name ?? nameFor(wish.repo);
  const obstacle = settingsObstacle(settings) ?? nameProblem(name);
  if (obstacle !== null) return refused(obstacle);
  if (registry.get(name) !== undefined || providerType(name) !== undefined) {
    return refused(`\`${name}\` is the name of a provider; \`--name\` gives another name`);
  }
  const access = hubAccess({ env, hf_token: settings.hf_token, fetch, version });
  if (!access.ok) return access;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const named = { ...wish, name };
  const stored = openStoredPlans(plansDirectory(dependencies.state_dir));
  const judged = await judgeWish(named, { settings, hub: access.hub, stored, today });
  if (!judged.ok) return judged;
  const parts = await begin();
  const missing = await missingTool({ driver: parts.driver, path: env["PATH"] ?? "" });
  if (missing !== null) return refused(missing);
  const request = { wish: named, judged, hf_token: access.hub.token };
  const started = await startUp(dependencies, parts, request);
  if (!started.ok) return started;
  void tellOutcome(dependencies, name, started.outcome);
  void keepPlan(dependencies, { judged, stored, outcome: started.outcome });
  return started;
}

interface Keeping {
  readonly judged: Extract<Judged, { ok: true }>;
  readonly stored: Pick<StoredPlans, "keep">;
  readonly outcome: Promise<BringUpOutcome>;
}

/** What came up is remembered, for the next start of its kind. */
async function keepPlan(
  { clock, log }: RuntimesDependencies,
  { judged, stored, outcome }: Keeping,
): Promise<void> {
  const since = clock.elapsed();
  if ((await outcome).kind !== "ready") return;
  const { facts, plan } = judged;
  const { sku, quant, context, concurrency } = plan;
  const took_ms = Math.round(clock.elapsed() - since);
  try {
    await stored.keep(facts, {
      sku,
      quant,
      context,
      concurrency,
      at: Math.round(clock.now()),
      took_ms,
    });
  } catch (error) {
    // It serves all the same.
    log.warn({ repo: facts.repo, reason: codeOf(error) }, "its plan could not be kept");
  }
}

async function tellOutcome(
  { tell }: RuntimesDependencies,
  name: string,
  pending: Promise<BringUpOutcome>,
): Promise<void> {
  const outcome = await pending;
  if (outcome.kind === "ready") tell({ is_urgent: false, text: `${name} is ready` });
  if (outcome.kind !== "failed") return;
  const { message, notice } = outcome;
  const text = `${name} could not be brought up: ${message}`;
  if (notice === null) tell({ is_urgent: false, text: `${text}; it costs nothing any more` });
  else tell({ is_urgent: true, text: `${notice}; ${text}` });
}

function refused(problem: string): Up {
  return { ok: false, problem };
}
