import { readSubject, subjectKey } from "../health/scope.ts";
import { parseDuration } from "../lib/durations.ts";
import { unknownHead } from "./check-pools.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding } from "./problem.ts";

/** What benches targets: the breaker's numbers, and exclusions of things that exist. */
export function checkHealth(input: CheckInput): Findings {
  const { exclusions } = input.config;
  const names = Object.keys(exclusions);
  return {
    problems: [
      ...breakerProblems(input),
      ...names.flatMap((name) => exclusionProblem(name, input)),
      ...repeated(names),
    ],
    warnings: [],
  };
}

function breakerProblems({ config: { breaker } }: CheckInput): Finding[] {
  const [base = 0, cap = 0] = [parseDuration(breaker.base), parseDuration(breaker.cap)];
  if (base <= cap) return [];
  const message = `\`${breaker.base}\` is longer than \`breaker.cap\`, \`${breaker.cap}\``;
  return [{ path: ["breaker", "base"], message, hint: "raise `cap` or lower `base`" }];
}

function exclusionProblem(name: string, input: CheckInput): Finding[] {
  const path = ["exclusions", name];
  const read = readSubject(name);
  if (!read.ok) return [{ path, message: read.message }];
  const provider = read.value.instance.toLowerCase();
  const unknown = unknownHead({ provider, model: null, params: {}, instance: null }, input);
  if (unknown !== undefined) return [{ path, ...unknown }];
  if (input.config.exclusions[name]?.trim() !== "") return [];
  return [{ path, message: "has no reason", hint: "say why, for whoever asks `explain`" }];
}

function repeated(names: readonly string[]): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const key = subjectKey(name);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: ["exclusions", name], message: "is excluded twice", hint: "remove one" }];
  });
}
