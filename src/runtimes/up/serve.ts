import { type SentParts, serverPlan } from "../bootstrap/server-plan.ts";
import type { BringUpStep } from "./bring-up-step.ts";
import { sendBaked } from "./send-baked.ts";
import { insist, type Problem } from "./step.ts";
import { untilReady } from "./until-ready.ts";

/** Starts the server and waits until it says that it answers. */
export async function launch(step: BringUpStep): Promise<Problem | null> {
  const { machine, settings, newId, lease } = step;
  const { spec, plan, served_model } = lease();
  if (spec === null || plan === null || served_model === null) {
    return { message: "its lease does not say what to serve" };
  }
  const id = newId();
  const ready_limit_ms = settings.ready_timeout_ms;
  const baked: SentParts | null = await sendBaked(step, plan);
  const server = serverPlan({ spec, plan, served_model, ready_limit_ms, baked });
  const problem = await insist(step, () => machine.launch(id, server));
  if (problem !== null) return problem;
  const minutes = Math.round(ready_limit_ms / 60_000);
  return untilReady(step, {
    id,
    limit_ms: ready_limit_ms,
    failed: "the server did not come",
    late: `its server did not answer within ${minutes} min; raise \`runtimes.ready_timeout\`, or take a smaller model`,
  });
}
