import { bakeKey } from "../bootstrap/bake-plan.ts";
import type { SentParts } from "../bootstrap/server-plan.ts";
import type { LeasePlan } from "../lease-plan.ts";
import type { BringUpStep } from "./bring-up-step.ts";
import { insist } from "./step.ts";

/**
 * Puts what `bake` has prepared on the machine; null where there is nothing, or it does not arrive. That is
 * no reason to end a start: without it the machine does the work itself.
 */
export async function sendBaked(step: BringUpStep, plan: LeasePlan): Promise<SentParts | null> {
  const { baked, machine, change } = step;
  const key = bakeKey(plan);
  const found = await baked.read(key);
  if (found === null) return null;
  await change({ event: `sending what was baked: ${key}` });
  for (const [index, part] of found.parts.entries()) {
    const content = await baked.readPart(key, index);
    const problem =
      content === null
        ? { message: `part ${index} of \`${key}\` is damaged; bake it again` }
        : await insist(step, () => machine.sendFile(part.path, content));
    if (problem === null) continue;
    await change({ event: `without what was baked: ${problem.message}` });
    return null;
  }
  const parts = found.parts.map(({ path, sha256 }) => ({ path, sha256 }));
  return { python: found.python, parts };
}
