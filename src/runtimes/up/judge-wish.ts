import { estimate } from "../../sizing/estimate.ts";
import type { Plan } from "../../sizing/fit.ts";
import type { ModelFacts } from "../../sizing/model-facts.ts";
import { findModel } from "../metadata/find-model.ts";
import type { HubDependencies } from "../metadata/hub.ts";
import { isLocalPath } from "../metadata/local-model.ts";
import type { StoredPlans } from "../metadata/stored-plans.ts";
import { type RuntimeSettings, settingsObstacle } from "../policy/settings.ts";
import { upObstacle } from "../policy/up.ts";
import type { UpWish } from "./wish.ts";

export interface Judging {
  readonly settings: RuntimeSettings;
  readonly hub: HubDependencies;
  readonly stored: Pick<StoredPlans, "read">;
  /** Today, as `2026-11-30`. */
  readonly today: string;
}

export type Judged =
  | {
      readonly ok: true;
      readonly facts: ModelFacts;
      readonly plan: Plan;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Whether anything may be rented for a wish, by all that can be known without Colab. */
export async function judgeWish(
  wish: UpWish & { readonly name: string },
  { settings, hub, stored, today }: Judging,
): Promise<Judged> {
  const off = settingsObstacle(settings);
  if (off !== null) return refused(off);
  const { repo, context, concurrency, quant, gpu } = wish;
  if (isLocalPath(repo)) {
    return refused(
      `\`${repo}\` is on this machine, which Colab's cannot read; name a repository of the Hugging Face Hub`,
    );
  }
  const found = await findModel({ ...hub, repo, cwd: "/", stored });
  if (!found.ok) return refused(found.problem);
  const { facts } = found;
  const { rates } = settings;
  const sized = estimate({ facts, quant, context, concurrency, gpu, rates, today });
  const obstacle = upObstacle({
    settings,
    name: wish.name,
    confirmed: wish.confirmed,
    supervised: true,
    gated: facts.gated,
    has_token: hub.token !== null,
    estimate: sized,
  });
  if (obstacle !== null) return refused(obstacle);
  if (sized.kind === "refused") return refused(sized.advice.text);
  return { ok: true, facts, plan: sized.plan, notes: sized.notes };
}

function refused(problem: string): Judged {
  return { ok: false, problem };
}
