import { redactText } from "../redact.ts";
import { Ended, type Problem, type Step } from "./step.ts";

export type StepsOutcome =
  | { readonly kind: "done" }
  /** Nothing costs money if `notice` is null. */
  | { readonly kind: "failed"; readonly message: string; readonly notice: string | null }
  /** Somebody else has ended it, and answers for that. */
  | { readonly kind: "ended" };

/**
 * One step after the other on a machine whose lease is on disk and supervised. Whatever fails, the machine
 * is released, and nothing is tried that a release under way could be hindered by.
 */
export async function takeSteps<S extends Step>(
  step: S,
  acts: readonly ((step: S) => Promise<Problem | null>)[],
  secrets: readonly string[],
): Promise<StepsOutcome> {
  try {
    for (const act of acts) {
      step.lease();
      const problem = await act(step);
      if (problem !== null) return await giveUp(step, problem, secrets);
    }
    return { kind: "done" };
  } catch (error) {
    if (error instanceof Ended) return { kind: "ended" };
    const reason = error instanceof Error ? error.message : String(error);
    return await giveUp(step, { message: `a fault of the router: ${reason}` }, secrets);
  } finally {
    step.request.identified();
  }
}

async function giveUp(
  { supervisor, request: { name } }: Step,
  problem: Problem,
  secrets: readonly string[],
): Promise<StepsOutcome> {
  const message = redactText(problem.message, secrets);
  if ((await supervisor.change(name, { error: message })) === null) return { kind: "ended" };
  const outcome = await supervisor.release(name, { why: message });
  const notice = outcome?.kind === "unproven" ? outcome.notice : null;
  return { kind: "failed", message, notice };
}
