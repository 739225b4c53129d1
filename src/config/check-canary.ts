import { quote } from "../address/spec-fault.ts";
import { parseSpec } from "../address/spec.ts";
import { watchProblems } from "../canary/watch-problems.ts";
import { providerType } from "../catalog/provider-types.ts";
import { parseDuration } from "../lib/durations.ts";
import { estimateOf, type WatchedSpec } from "./canary-estimate.ts";
import { instanceNames, unknownHead, unknownPool } from "./check-pools.ts";
import { TYPE_IDS } from "./check-providers.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding } from "./problem.ts";
import { USUAL_LOCALES } from "./schema-canary.ts";

const MIN_INTERVAL_MS = 60_000;

/** Something to watch, a limit for what it may cost, and questions that can be asked. */
export function checkCanary(input: CheckInput): Findings {
  const { canary } = input.config;
  const problems = [
    ...canary.models.flatMap((text, at) => modelProblem(text, at, input)),
    ...settingProblems(input),
    ...(canary.enabled ? enablingProblems(input) : []),
  ];
  return { problems, warnings: problems.length === 0 ? costWarning(input) : [] };
}

const POOL = "pool:";

function modelProblem(text: string, at: number, input: CheckInput): Finding[] {
  const path = ["canary", "models", String(at)];
  if (text.startsWith(POOL)) {
    const unknown = unknownPool(text.slice(POOL.length), input);
    return unknown === undefined ? [] : [{ path, ...unknown }];
  }
  const parsed = parseSpec(text);
  if (!parsed.ok) return [{ path, message: parsed.message }];
  const unknown = unknownHead(parsed.spec, input);
  if (unknown !== undefined) return [{ path, ...unknown }];
  return parsed.spec.model === null
    ? [{ path, message: `${quote(text)} names no model`, hint: "write `instance:model`" }]
    : [];
}

function settingProblems(input: CheckInput): Finding[] {
  const { interval, locales = USUAL_LOCALES, controls } = input.config.canary;
  const standalone = TYPE_IDS.filter((id) => (providerType(id)?.base_url ?? null) !== null);
  const known = [...instanceNames(input), ...standalone];
  // Pools of their own cannot be empty; what `models` names is looked at one by one.
  const found = watchProblems({ groups: [], locales, controls }, known);
  const isShort = (parseDuration(interval) ?? MIN_INTERVAL_MS) < MIN_INTERVAL_MS;
  return [
    ...found.map(({ setting, at, message }) => ({
      path: ["canary", setting, ...(at === null ? [] : [String(at)])],
      message,
    })),
    ...(isShort
      ? [
          {
            path: ["canary", "interval"],
            message: `\`${interval}\` is shorter than a minute`,
            hint: "every round asks every endpoint at least four questions",
          },
        ]
      : []),
  ];
}

function enablingProblems(input: CheckInput): Finding[] {
  const { models, max_usd_per_day } = input.config.canary;
  const { isBroken } = input;
  const problems: Finding[] = [];
  if (models.length === 0 && !isBroken(["canary", "models"])) {
    const hint = 'name what to watch, such as `models = ["pool:main"]`';
    problems.push({ path: ["canary", "models"], message: "is missing", hint });
  }
  if (max_usd_per_day === undefined && !isBroken(["canary", "max_usd_per_day"])) {
    const told = estimateWords(input);
    const hint =
      told === null ? "say how much a day may cost" : `say how much a day may cost: ${told}`;
    problems.push({ path: ["canary", "max_usd_per_day"], message: "is missing", hint });
  }
  return problems;
}

/** What a day costs as far as the catalogue tells; null where nothing that is watched is known. */
function estimateWords(input: CheckInput): string | null {
  const estimate = estimateOf(input.config.canary, specsOf(input));
  if (estimate === null) return null;
  const { targets, usual_usd, worst_usd, is_assumed } = estimate;
  const assumed = is_assumed ? ", where a price is unknown a high one taken" : "";
  const counted = targets === 1 ? "1 target" : `${targets} targets`;
  return `${counted} cost some ${usd(usual_usd)}, at most ${usd(worst_usd)}${assumed}; each further host behind a gateway as much again`;
}

function costWarning(input: CheckInput): Finding[] {
  const { enabled, max_usd_per_day } = input.config.canary;
  const estimate = enabled ? estimateOf(input.config.canary, specsOf(input)) : null;
  if (estimate === null || max_usd_per_day === undefined) return [];
  if (estimate.usual_usd <= max_usd_per_day) return [];
  const message = `${usd(max_usd_per_day)} is less than the ${usd(estimate.usual_usd)} that a day usually costs, so the last rounds of a day ask nothing`;
  const hint = "raise it, or take a longer `interval` or fewer `models`";
  return [{ path: ["canary", "max_usd_per_day"], message, hint }];
}

const usd = (amount: number) => `$${amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;

/** Every target that is to be watched, as far as it can be read. */
function specsOf({ config }: CheckInput): readonly WatchedSpec[] {
  const members = config.canary.models.flatMap((text) => {
    if (!text.startsWith(POOL)) return [text];
    return config.pools[text.slice(POOL.length)]?.targets ?? [];
  });
  return members.flatMap((member) => {
    const parsed = parseSpec(member);
    if (!parsed.ok || parsed.spec.model === null) return [];
    const { provider, instance, model } = parsed.spec;
    const name = instance ?? provider;
    const section = Object.entries(config.providers).find(([one]) => one.toLowerCase() === name);
    return [
      {
        instance: name,
        model,
        type: section?.[1].type ?? name,
        local: section?.[1].local ?? false,
      },
    ];
  });
}
