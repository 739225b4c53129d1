import { bakeKey } from "../bootstrap/bake-plan.ts";
import type { Machine } from "../bootstrap/machine.ts";
import { obtain, type Problem } from "../up/step.ts";
import type { BakeStep } from "./bake-step.ts";
import { type Draft, type Manifest, sha256 } from "./baked-files.ts";

type OnMachine = Omit<Manifest, "schema" | "key" | "made_at">;

/** Fetches what that start has prepared; seen by no start of a server before it is here whole. */
export async function bring(step: BakeStep, launch: string): Promise<Problem | null> {
  const { machine, request, baked, clock, change } = step;
  const report = await obtain(step, () => machine.readBaked(launch));
  if (report.kind === "failed") return report.problem;
  const prepared = report.baked;
  await change({ event: `fetching ${partsText(prepared)}` });
  return keeping(async () => {
    const draft = await baked.begin(bakeKey(request.plan));
    const problem = await fetchParts(step, prepared, draft);
    if (problem !== null) await draft.discard();
    else await draft.finish({ ...prepared, made_at: Math.round(clock.now()) });
    return problem;
  });
}

async function fetchParts(
  step: BakeStep,
  { parts }: OnMachine,
  draft: Draft,
): Promise<Problem | null> {
  for (const part of parts) {
    const report = await obtain(step, () => fetchPart(step.machine, part));
    if (report.kind === "failed") return report.problem;
    await draft.addPart(report.content);
  }
  return null;
}

async function fetchPart(
  machine: Machine,
  { path, sha256: sum }: OnMachine["parts"][number],
): ReturnType<Machine["fetchFile"]> {
  const report = await machine.fetchFile(path);
  if (report.kind === "failed" || sha256(report.content) === sum) return report;
  const message = `\`${path}\` did not come whole`;
  return { kind: "failed", fault: { kind: "unreadable", message, detail: "" } };
}

/** A disk that fails is no fault of ours. */
async function keeping(act: () => Promise<Problem | null>): Promise<Problem | null> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { message: `what was prepared cannot be kept here: ${error.message}` };
  }
}

function partsText({ parts, wheels, packages }: OnMachine): string {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const mib = (bytes / 1024 / 1024).toFixed(1);
  return `${mib} MiB: ${packages.length} versions, ${wheels.length} wheels`;
}
