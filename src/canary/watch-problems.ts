import { nearestNames } from "../lib/nearest.ts";
import type { WatchedGroup } from "./endpoints/watched-targets.ts";
import { PROMPT_LOCALES, promptLocale } from "./prompts/locales.ts";

/** What the canary is told to watch, as far as it can be checked without asking anybody. */
export interface WatchSettings {
  readonly groups: readonly WatchedGroup[];
  /** Tags such as `pt-BR`. */
  readonly locales: readonly string[];
  /** `instance:model`, or `instance:model@host`: hosts that are known to filter. */
  readonly controls: readonly string[];
}

export interface WatchProblem {
  readonly setting: keyof WatchSettings;
  /** Which one of the list, from 0; null for the list as a whole. */
  readonly at: number | null;
  readonly message: string;
}

/** Everything that is wrong with what is to be watched, with the way out; `instances` are their names. */
export function watchProblems(
  { groups, locales, controls }: WatchSettings,
  instances: readonly string[],
): readonly WatchProblem[] {
  return [
    ...groups.flatMap(({ name, targets }, at) =>
      targets.length > 0
        ? []
        : [problem("groups", at, `\`${name}\` has no targets, so there is nothing to probe`)],
    ),
    ...(locales.length > 0 ? [] : [problem("locales", null, noLocales())]),
    ...locales.flatMap((tag, at) => {
      const message = localeProblem(tag);
      return message === null ? [] : [problem("locales", at, message)];
    }),
    ...controls.flatMap((control, at) => {
      const message = controlProblem(control, instances);
      return message === null ? [] : [problem("controls", at, message)];
    }),
  ];
}

function problem(setting: keyof WatchSettings, at: number | null, message: string): WatchProblem {
  return { setting, at, message };
}

const noLocales = () => `no language is left to ask in: take some of ${PROMPT_LOCALES.join(", ")}`;

function localeProblem(tag: string): string | null {
  if (promptLocale(tag) !== undefined) return null;
  const [nearest] = nearestNames(tag, PROMPT_LOCALES, 1);
  const meant = nearest === undefined ? "." : `; did you mean \`${nearest}\`?`;
  return `there are no prompts in \`${tag}\`${meant} There are some in ${PROMPT_LOCALES.join(", ")}`;
}

const CONTROL = /^([^:@]+):([^@]+)(?:@([^@]+))?$/;

function controlProblem(control: string, instances: readonly string[]): string | null {
  const [, instance = ""] = CONTROL.exec(control) ?? [];
  if (instance === "") {
    return `\`${control}\` names no endpoint: write \`instance:model\` or \`instance:model@host\``;
  }
  const isKnown = instances.some((name) => name.toLowerCase() === instance.toLowerCase());
  if (isKnown) return null;
  const [nearest] = nearestNames(instance, instances, 1);
  const meant = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  return `the control \`${control}\` is at \`${instance}\`, which is no instance${meant}`;
}
