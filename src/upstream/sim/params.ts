import { assertNever } from "../../lib/assert-never.ts";
import { parseDuration } from "../../lib/durations.ts";

/** What a parameter of a simulated model takes. docs/simulator.md lists the same facts. */
export type ParamDefinition =
  | { readonly kind: "duration"; readonly default: number; readonly description: string }
  | {
      readonly kind: "number";
      /** Null where leaving it out means something of its own. */
      readonly default: number | null;
      readonly min: number;
      readonly max: number;
      readonly integer: boolean;
      readonly description: string;
    }
  | {
      readonly kind: "choice";
      readonly default: string;
      readonly choices: readonly string[];
      readonly description: string;
    };

export type ParamDefinitions = Readonly<Record<string, ParamDefinition>>;

const MAX_DURATION_MS = 3_600_000;

/** Milliseconds, or text such as `"2s"`; at most an hour. */
export function duration(value: number, description: string): ParamDefinition {
  return { kind: "duration", default: value, description };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export function integer(value: number | null, { min, max }: Bounds, description: string) {
  return { kind: "number", default: value, min, max, integer: true, description } as const;
}

export function real(value: number | null, { min, max }: Bounds, description: string) {
  return { kind: "number", default: value, min, max, integer: false, description } as const;
}

/** One of `choices`; the first is the default. */
export function choice(
  choices: readonly [string, ...string[]],
  description: string,
): ParamDefinition {
  return { kind: "choice", default: choices[0], choices, description };
}

/** Checked parameters, defaults filled in. Asking for one the model does not take is a bug. */
export interface ParamValues {
  number(name: string): number;
  numberOr(name: string, fallback: number): number;
  text(name: string): string;
}

export type ReadParams =
  | { readonly ok: true; readonly values: ParamValues }
  | { readonly ok: false; readonly param: string; readonly message: string };

/** Reads the parameters named by `definitions` from a request body; null counts as left out. */
export function readParams(
  body: Readonly<Record<string, unknown>>,
  definitions: ParamDefinitions,
): ReadParams {
  const values = new Map<string, number | string | null>();
  for (const [name, definition] of Object.entries(definitions)) {
    const given = body[name] ?? undefined;
    const value = given === undefined ? definition.default : readValue(given, definition);
    if (value === undefined) {
      const message = `Invalid value for \`${name}\`: ${shown(given)}. It takes ${domain(definition)}.`;
      return { ok: false, param: name, message };
    }
    values.set(name, value);
  }
  return { ok: true, values: accessors(values) };
}

function readValue(given: unknown, definition: ParamDefinition): number | string | undefined {
  switch (definition.kind) {
    case "duration": {
      const ms = typeof given === "string" ? parseDuration(given) : given;
      return inRange(ms, { min: 0, max: MAX_DURATION_MS });
    }
    case "number":
      if (definition.integer && !Number.isSafeInteger(given)) return undefined;
      return inRange(given, definition);
    case "choice":
      return definition.choices.find((known) => known === given);
    default:
      return assertNever(definition);
  }
}

function inRange(value: unknown, { min, max }: Bounds): number | undefined {
  return typeof value === "number" && value >= min && value <= max ? value : undefined;
}

/** What a parameter takes, in words: for messages and for the docs. */
export function domain(definition: ParamDefinition): string {
  switch (definition.kind) {
    case "duration":
      return 'a duration up to an hour: milliseconds, or text such as `"2s"`';
    case "number":
      return `${definition.integer ? "a whole number" : "a number"} from ${definition.min} to ${definition.max}`;
    case "choice":
      return `one of ${definition.choices.map((known) => `\`${known}\``).join(", ")}`;
    default:
      return assertNever(definition);
  }
}

/** Objects could hold a prompt that ended up in the wrong place; only their type is shown. */
function shown(given: unknown): string {
  if (typeof given === "object") return Array.isArray(given) ? "an array" : "an object";
  const text = JSON.stringify(given) ?? "nothing";
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function missing(name: string): Error {
  return new Error(`not a parameter of this model: \`${name}\``);
}

function accessors(values: ReadonlyMap<string, number | string | null>): ParamValues {
  return {
    number(name) {
      const value = values.get(name);
      if (typeof value !== "number") throw missing(name);
      return value;
    },
    numberOr(name, fallback) {
      const value = values.get(name);
      if (value === null) return fallback;
      if (typeof value !== "number") throw missing(name);
      return value;
    },
    text(name) {
      const value = values.get(name);
      if (typeof value !== "string") throw missing(name);
      return value;
    },
  };
}
