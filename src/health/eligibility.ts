import { type Bench, isBenched } from "./cooldowns.ts";

/** Why a target is left out. The layers are those of docs/design.md; the lower, the firmer. */
export interface IneligibleReason {
  readonly layer: number;
  readonly code: string;
  readonly detail: string | null;
  /** Epoch ms, if it lifts by itself. */
  readonly until_at: number | null;
}

/** All that can bench a target, one member per layer, as values. */
export interface EligibilityInput {
  /** The endpoint the request needs, such as `embeddings`, and whether the provider has it. */
  readonly dialect: { readonly name: string; readonly supported: boolean };
  /** What keeps the instance from being called at all, such as a missing credential. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly instance_bench: Bench | null;
  readonly target_bench: Bench | null;
  /** Epoch ms. */
  readonly now: number;
}

type Layer = (input: EligibilityInput) => IneligibleReason | null;

/** Every layer that benches the target, firmest first; empty means eligible. Nothing is left unsaid. */
export function eligibility(input: EligibilityInput): IneligibleReason[] {
  return LAYERS.map((layer) => layer(input))
    .filter((reason) => reason !== null)
    .toSorted((a, b) => a.layer - b.layer);
}

const CAPABILITY = 0;
const UNUSABLE = 4;
const COOLDOWN = 6;

const LAYERS: readonly Layer[] = [
  ({ dialect }) =>
    dialect.supported
      ? null
      : {
          layer: CAPABILITY,
          code: `capability:${dialect.name}`,
          detail: `the provider has no ${dialect.name} endpoint`,
          until_at: null,
        },
  ({ problem }) =>
    problem && { layer: UNUSABLE, code: problem.code, detail: problem.message, until_at: null },
  ({ instance_bench, now }) => reasonOf(instance_bench, now),
  ({ target_bench, now }) => reasonOf(target_bench, now),
];

function reasonOf(bench: Bench | null, now: number): IneligibleReason | null {
  if (bench === null || !isBenched(bench, now)) return null;
  const { kind, scope, until_at, trial_at, vendor_code } = bench;
  if (until_at === null) {
    const code = vendor_code === null ? "" : ` (${vendor_code})`;
    const trial = trial_at === null ? "" : `, one trial in ${secondsTo(trial_at, now)} s`;
    const detail = `the upstream refused the credential${code}; change it${trial}`;
    return { layer: UNUSABLE, code: "unusable_auth", detail, until_at };
  }
  const whole = scope === "instance" ? ", for the whole instance" : "";
  const detail = `${secondsTo(until_at, now)} s left after ${kind}${whole}`;
  return { layer: COOLDOWN, code: "cooldown", detail, until_at };
}

function secondsTo(instant: number, now: number): number {
  return Math.ceil((instant - now) / 1000);
}
