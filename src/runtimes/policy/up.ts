import type { Estimate } from "../../sizing/estimate.ts";
import { LEASE_NAME } from "../lease.ts";
import { type RuntimeSettings, settingsObstacle } from "./settings.ts";

export interface UpRequest {
  readonly settings: RuntimeSettings;
  readonly name: string;
  /** Whether the user said yes to the cost. */
  readonly confirmed: boolean;
  /** Whether a process that lives on will keep the deadlines. */
  readonly supervised: boolean;
  readonly gated: boolean;
  /** Whether there is a token for the Hugging Face Hub. */
  readonly has_token: boolean;
  readonly estimate: Estimate;
}

/** Why nothing is rented, with the fix; null if all that can be known without a network speaks for it. */
export function upObstacle(request: UpRequest): string | null {
  const { settings, name, estimate, gated, has_token } = request;
  const settingsProblem = settingsObstacle(settings);
  if (settingsProblem !== null) return settingsProblem;
  const badName = nameProblem(name);
  if (badName !== null) return badName;
  if (estimate.kind === "refused")
    return `it fits no GPU that was asked for; ${estimate.advice.text}`;
  const [obstacle] = estimate.obstacles;
  if (obstacle !== undefined) return obstacle;
  if (gated && !has_token) {
    return "the model is gated: accept its licence on huggingface.co and set `HF_TOKEN` or `runtimes.hf_token`";
  }
  const { plan } = estimate;
  if (settings.max_compute_units !== null && plan.rate.cu_h === null) {
    return `nobody knows what a ${plan.sku} costs, so \`runtimes.max_compute_units\` cannot be kept; set \`runtimes.rates.${plan.sku}\` or choose another GPU`;
  }
  if (!request.supervised) {
    return "nobody would watch the runtime; start `veriroute serve`, or add `--foreground`";
  }
  return request.confirmed ? null : "renting costs money; add `--yes` to go ahead";
}

/** Why a text is no name for a runtime; null if it is one. */
export function nameProblem(name: string): string | null {
  if (LEASE_NAME.test(name)) return null;
  return `\`${name}\` is no name for a runtime: use 1 to 39 of a-z, 0-9 and \`-\`, not \`-\` first`;
}
