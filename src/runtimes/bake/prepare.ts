import { bakePlan } from "../bootstrap/bake-plan.ts";
import { insist, type Problem } from "../up/step.ts";
import { untilReady } from "../up/until-ready.ts";
import type { BakeStep } from "./bake-step.ts";
import { bring } from "./bring.ts";

/** Prepares on the machine, and brings what it made here. */
export async function prepare(step: BakeStep): Promise<Problem | null> {
  const { machine, newId, supervisor, request } = step;
  const id = newId();
  const plan = bakePlan(request.plan);
  const problem = await insist(step, () => machine.bake(id, plan));
  if (problem !== null) return problem;
  const notReady = await untilReady(step, {
    id,
    // Its hard deadline ends it in any case; no start waits for it.
    limit_ms: supervisor.secondsLeft(request.name) * 1000,
    failed: "nothing was prepared",
    late: "nothing was prepared within the life of its machine; raise `runtimes.max_life`",
  });
  return notReady ?? (await bring(step, id));
}
