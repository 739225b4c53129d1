import { identified } from "../policy/orphans.ts";
import type { Finding } from "../policy/reconcile.ts";
import type { TickAction } from "../policy/tick.ts";
import { billingNotice } from "../policy/words.ts";
import type { Kept } from "./kept.ts";
import type { Steps } from "./steps.ts";
import type { Tasks } from "./tasks.ts";
import type { Upkeep } from "./upkeep.ts";

export interface CarryOutDependencies {
  readonly steps: Steps;
  readonly upkeep: Upkeep;
  readonly tasks: Tasks;
  readonly notify: (text: string) => void;
}

/** Does what the rules found of a runtime, without waiting for it. */
export function carryOutFinding(
  carrying: CarryOutDependencies,
  kept: Kept,
  finding: Finding,
): void {
  const { steps, upkeep, tasks, notify } = carrying;
  const wasPending = kept.pending;
  kept.pending = finding.kind === "wait" || finding.kind === "report";
  switch (finding.kind) {
    case "archive":
    case "fail":
      tasks.spawn(() => steps.putAway(kept));
      break;
    case "release":
      tasks.spawn(() => releaseFound(carrying, kept, finding));
      break;
    case "gone":
      tasks.spawn(async () => {
        await steps.settleGone(kept, finding.proof);
        notify(`${kept.lease.name} costs nothing any more: two listings lack its machine`);
      });
      break;
    case "reattach":
      // One that only stopped answering has its tunnel, which comes back by itself.
      if (wasPending) tasks.begin(kept, "reattach", () => upkeep.reattach(kept));
      break;
    case "watch":
      tasks.begin(kept, "save", () => steps.change(kept, { phase: "degraded" }));
      break;
    case "report":
      notify(`${billingNotice(kept.lease)}: perhaps as ${finding.endpoints.join(" or ")}`);
      break;
    case "wait":
    case "follow":
      break;
  }
}

async function releaseFound(
  carrying: CarryOutDependencies,
  kept: Kept,
  { machine, why }: Extract<Finding, { kind: "release" }>,
): Promise<void> {
  if (machine !== null) await carrying.steps.change(kept, identified(machine));
  await releaseLoudly(carrying, kept, why);
}

/** Starts what a tick has planned for a runtime. */
export function carryOutAction(
  { steps, upkeep, tasks, notify }: CarryOutDependencies,
  kept: Kept,
  action: TickAction,
): void {
  switch (action.kind) {
    case "release":
      if (kept.ending === null) {
        tasks.spawn(() => releaseLoudly({ steps, notify }, kept, action.why));
      }
      break;
    case "warn": {
      kept.warned.add(action.of);
      const minutes = Math.max(Math.ceil(action.left_ms / 60_000), 1);
      notify(`${kept.lease.name} will be released in ${minutes} min: ${WARNED[action.of]}`);
      break;
    }
    case "heartbeat":
      tasks.begin(kept, "heartbeat", () => upkeep.beat(kept));
      break;
    case "probe":
      tasks.begin(kept, "probe", () => upkeep.probe(kept));
      break;
  }
}

const WARNED = {
  max_cu: "it will have used the compute units it may",
  hard: "its life ends then",
  idle: "nobody uses it",
} as const;

async function releaseLoudly(
  { steps, notify }: Pick<CarryOutDependencies, "steps" | "notify">,
  kept: Kept,
  why: string,
): Promise<void> {
  const outcome = await steps.release(kept, why);
  if (outcome.kind === "unproven") notify(outcome.notice);
}
